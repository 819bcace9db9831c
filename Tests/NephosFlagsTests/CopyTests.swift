import NephosAdmin
import NephosRunner
import NephosStorage
import NephosTesting
import RequestTesting
import Testing

/// docs/flags.md, "Two environments".
@Suite("Flags of two environments") struct CopyTests {
    private static let toProduction = ["--from", "development", "--to", "production"]

    private func run(_ own: FlagCloud, _ command: String, _ more: [String] = []) async throws -> OperatorCall.Outcome {
        try await OperatorCall(own.cloud, name: "ada").run(["flag", command, SmallCloud.container] + more)
    }

    @Test("Flags are copied unchanged, after a preview, and a missing audience is reported")
    func copied() async throws {
        let own = try await FlagCloud()
        let rules = #"[{"when":{"audience":["spanish","beta"]},"serve":"off"}]"#
        _ = try own.save([
            FlagCloud.boolean("a", ["rules": rules, "displayName": "A"]), FlagCloud.boolean("b", state: "off"),
        ])
        // Types and settings must be copied first.
        #expect(
            try await run(own, "copy", Self.toProduction).failure?.contains(
                "has no flags. Production gets its settings with") == true)
        _ = try await own.cloud.administration.deploySchema(of: SmallCloud.container)
        #expect(
            try await run(own, "diff", Self.toProduction).output
                == "Flag | What\na | only in development\nb | only in development\n")
        let trial = try await run(own, "copy", Self.toProduction + ["--dry-run"])
        #expect(
            trial.output.contains("a | only in development")
                && trial.notes.contains("has no audience beta: rules that name it"))
        // A deploy alone does not help: development has no such audience, either.
        #expect(
            trial.notes.contains(
                "Add it to the settings of development with: nephos settings import \(SmallCloud.container) FILE")
                && trial.notes.contains("Then deploy it with: nephos schema deploy \(SmallCloud.container)"), "\(trial)"
        )
        try await own.set(["audiences": #"{"spanish":{"locale":"es"},"beta":{"percent":10}}"#])
        let deployed = try await run(own, "copy", Self.toProduction + ["--dry-run"]).notes
        #expect(
            deployed.contains("Deploy audiences with: nephos schema deploy") && !deployed.contains("settings import"))
        #expect(
            try await run(own, "list", ["--environment", "production"]).notes.hasPrefix(
                "There are no flags. Copy those of development with: nephos flag copy"))
        let copied = try await run(own, "copy", Self.toProduction)
        #expect(copied.notes.hasPrefix("Copied 2 flags.\n") && copied.failure == nil, "\(copied)")
        #expect(try await run(own, "diff", Self.toProduction).notes == "The flags are the same in both.\n")
        #expect(try await run(own, "copy", Self.toProduction).notes.hasPrefix("Nothing to copy"))
        let shown = try await run(own, "show", ["a", "--environment", "production", "--output", "json"]).output
        #expect(shown.contains(#""value":"A""#) && shown.contains("spanish"))
    }

    @Test("Differences are listed by field; flags that only the other environment has stay")
    func differing() async throws {
        let own = try await FlagCloud()
        _ = try own.save([FlagCloud.boolean("a"), FlagCloud.boolean("b")])
        _ = try await own.cloud.administration.deploySchema(of: SmallCloud.container)
        _ = try await run(own, "copy", Self.toProduction)
        _ = try await run(own, "create", ["c", "--default", "true", "--environment", "production"])
        _ = try await run(own, "off", ["a", "--environment", "production"])
        _ = try own.save([FlagCloud.boolean("b", ["displayName": "B"])])
        let diff = try await run(own, "diff", Self.toProduction)
        #expect(
            diff.output == "Flag | What\na | differs in state\nb | differs in displayName\nc | only in production\n")
        #expect(
            try await run(own, "diff", Self.toProduction + ["--output", "json"]).output.hasPrefix(
                #"[{"id":"a","what":"differs in state"}"#))
        _ = try await run(own, "copy", Self.toProduction)
        #expect(try await run(own, "diff", Self.toProduction).output == "Flag | What\nc | only in production\n")
        #expect(
            try await run(own, "history", ["a", "--environment", "production"]).output.split(separator: "\n").count == 4
        )
        #expect(
            try await run(own, "diff", ["--from", "production", "--to", "production"]).failure
                == "--from and --to must be different environments.")
    }
}
