import Audience
import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

extension UseCase {
    static let diffFlags = UseCase(
        "flag diff", .reads, abstract: "Show how the flags of one environment differ from those of another.",
        .container, .environments, .output
    ) { call, container, environments, output in
        let difference = try FlagDifference(call, container, environments)
        return output.answer(
            ["Flag", "What"], difference.lines, whenEmpty: "The flags are the same in both."
        ) { json in
            for line in difference.lines {
                json.beginObject()
                json.member("id", line[0])
                json.member("what", line[1])
                json.endObject()
            }
        }
    }

    static let copyFlags = UseCase(
        "flag copy", .changes, abstract: "Copy the flags of one environment to another.",
        discussion: """
            Flags that exist only in the target environment stay. Record types, settings and audiences are copied by nephos schema deploy.

            Example:

              nephos flag copy iCloud.com.example.app --from development --to production \\
                --dry-run
            """,
        .container, .environments, .flag("dry-run", help: "Only show what would be copied.")
    ) { call, container, environments, isTrial in
        let difference = try FlagDifference(call, container, environments)
        let broken = difference.source.filter { if case .failure = $0.flag { true } else { false } }
        guard broken.isEmpty else {
            throw Failure(
                "Nothing was copied, since some records are not valid flags: \(broken.map(\.id).joined(separator: ", "))."
            )
        }
        let there = "the flags in \(environments.to.rawValue) are already the same."
        let saves = difference.saves
        if isTrial {
            return UseCaseAnswer.table(["Flag", "What"], difference.copied, whenEmpty: "Nothing to copy: \(there)")
                .noting(difference.missingAudiences(call))
        }
        let outcomes = zip(saves, try await difference.target.carryOut(saves)).compactMap { save, refusal in
            refusal.map { [save.name, difference.reason($0)] }
        }
        let count = saves.count - outcomes.count
        let done = saves.isEmpty ? "Nothing to copy: \(there)" : "Copied \(count) \(count == 1 ? "flag" : "flags")."
        return
            (outcomes.isEmpty
            ? UseCaseAnswer.note(done) : UseCaseAnswer.table(["Flag", "Not copied"], outcomes).noting(done))
            .noting(difference.missingAudiences(call))
            .failing(outcomes.isEmpty ? nil : "\(outcomes.count) of \(saves.count) were not copied.")
    }
}

/// The source and target environment.
struct TwoEnvironments: Sendable {
    let from, to: Environment
}

extension Input where Value == TwoEnvironments {
    fileprivate static var environments: Input {
        Input(
            Input<Environment>.option("from", help: "The environment to take the flags from."),
            Input<Environment>.option("to", help: "The environment to compare with or copy to.")
        ) { from, to throws(WrongInput) in
            guard from != to else { throw WrongInput("--from and --to must be different environments.") }
            return TwoEnvironments(from: from, to: to)
        }
    }
}
