import NephosDomain
import NephosRunner
import NephosStorage
import NephosTesting
import RequestTesting
import Testing

/// docs/flags.md, "Schedules".
@Suite("Due schedules") struct ScheduleTests {
    private static let schedule = """
        [{"at":"2026-01-01 02:00 Europe/Berlin","state":"on"},{"at":"2026-01-01T03:00:00Z","state":"off"},\
        {"at":"2026-01-01T02:00:00Z","state":"on"}]
        """
    private static let hour: Milliseconds = 3_600_000

    private func show(_ own: FlagCloud, _ field: String) async throws -> String? {
        let lines = try await own.run("show", "CONTAINER", "a").output.split(separator: "\n")
        return lines.first { $0.hasPrefix("\(field) | ") }.map { String($0.dropFirst(field.count + 3)) }
    }

    @Test("A due entry becomes the state and is removed, once, and the served value stays the same")
    func folded() async throws {
        let own = try await FlagCloud()
        let known = FlagCloud.boolean("a", state: "off", ["schedule": Self.schedule])
        #expect(try own.save([known]) == [""])
        for (hours, state, left, isOn) in [
            (0, "off", 3, false), (1, "on", 2, true), (2, "on", 1, true), (3, "off", 0, false),
        ] {
            own.cloud.inputs.now = SmallCloud.now + Milliseconds(hours) * Self.hour
            #expect(try own.evaluate("a").json["value"].bool == isOn, "before, \(hours)")
            await own.cloud.runDueJobs()
            await own.cloud.runDueJobs()
            #expect(try own.evaluate("a").json["value"].bool == isOn, "after, \(hours)")
            #expect(try await show(own, "state") == state)
            #expect(try await show(own, "schedule")?.split(separator: "{").count ?? 0 == left + 1)
        }
        let history = try await own.run("history", "CONTAINER", "a").output.split(separator: "\n").dropFirst()
        #expect(history.count == 4 && history.prefix(3).allSatisfy { $0.hasSuffix(" | its schedule") }, "\(history)")
        #expect(try own.cloud.check() == [])
    }

    @Test("After a long downtime the last entry counts, and the record is saved once")
    func late() async throws {
        let own = try await FlagCloud()
        try await own.run("create", "CONTAINER", "a", "--default", "false")
        for (state, day) in [("on", "02"), ("off", "03"), ("on", "04")] {
            try await own.run("schedule", "CONTAINER", "a", state, "2026-01-\(day)T00:00:00Z")
        }
        own.cloud.inputs.now += 30 * 24 * Self.hour
        await own.cloud.runDueJobs()
        #expect(try await show(own, "state") == "on")
        #expect(try await show(own, "schedule") == "[]")
        #expect(try await own.run("history", "CONTAINER", "a").output.split(separator: "\n").count == 6)
        #expect(try await own.run("list", "CONTAINER").output.contains("a | on | "))
    }

    @Test("The mirror record is switched by schedules too")
    func mirrored() async throws {
        let own = try await FlagCloud()
        #expect(try own.saveMirror(["dark": 0], kind: "create") == "")
        try await own.set(["flags": #"{"type":"FeatureFlag","mirror":{"type":"AppFeatures","record":"current"}}"#])
        _ = try own.save([
            FlagCloud.boolean("dark", state: "off", ["schedule": #"[{"at":"2026-01-01T01:00:00Z","state":"on"}]"#])
        ])
        #expect(try own.mirror()["dark"] == 0)
        own.cloud.inputs.now += Self.hour
        await own.cloud.runDueJobs()
        #expect(try own.mirror()["dark"] == 1)
    }
}
