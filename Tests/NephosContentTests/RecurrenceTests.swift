import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage
import NephosTesting
import RequestTesting
import Testing

@testable import NephosContent

/// docs/content.md, `every`: recurring hours, at every entry point.
@Suite("Content with recurring hours") struct RecurrenceTests {
    private static let hour: Milliseconds = 3_600_000

    @Test(
        "Each week, and each year, it is visible only in its hours, to the millisecond (S0-51)",
        arguments: [
            // Thursday 2026-01-01 begins in Berlin at 23:00 UTC of the previous day; Friday 18:00 is 17:00 UTC.
            (#"{"days":["fri","sat"],"from":"18:00","until":"20:00","zone":"Europe/Berlin"}"#, 41 * hour, 43 * hour),
            (#"{"from":"01-06","until":"01-07 12:00","zone":"UTC"}"#, 120 * hour, 156 * hour),
        ])
    func hours(every: String, begins: Milliseconds, ends: Milliseconds) async throws {
        let picks = try await PickCloud()
        let own = picks.own
        try picks.save([
            .init(name: "a", every: every), .init(name: "b", until: SmallCloud.now + begins + 5, every: every),
        ])
        for step in [-1, 0, 1, 4, 5, ends - begins - 1, ends - begins, ends - begins + 1] as [Milliseconds] {
            own.now = SmallCloud.now + begins + step
            let isShown = (0..<ends - begins).contains(step)
            for caller in [SmallCloud.Caller.app, .person, .key] {
                let expected = (isShown ? ["a"] : []) + ((0..<5).contains(step) ? ["b"] : [])
                #expect(try own.query(as: caller) == expected, "\(caller) at \(step)")
                #expect(try own.lookUp("a", as: caller) == (isShown ? "" : "NOT_FOUND"), "\(caller) at \(step)")
            }
            #expect(try own.query(as: .friend) == ["a", "b"])
        }
        // Prepared for picking at the same times; the other one has ended by then.
        own.now = SmallCloud.now + begins
        try await picks.sort()
        #expect(try picks.answer("pick")["eligible"] == 1)
        own.now = SmallCloud.now + ends
        try await picks.sort()
        let answer = try picks.answer("pick", as: .friend)
        #expect(answer["eligible"] == 0 && answer["why"]["early"] == 1 && answer["why"]["ended"] == 1, "\(answer)")
        #expect(try #require(answer["changesAt"].int64) > own.now)
    }

    @Test("Its readers are notified each time its hours begin and end")
    func noted() async throws {
        let picks = try await PickCloud()
        let every = #"{"days":["fri"],"from":"18:00","until":"20:00","zone":"UTC"}"#
        try picks.save([.init(name: "a", every: every)])
        for moment in [42, 44, 42 + 168, 44 + 168] as [Milliseconds] {
            let rows = try picks.own.store.rows(DueEventRow.of([(1, "a")], in: Content.database))
            #expect(rows.map(\.at) == [SmallCloud.now + moment * Self.hour])
            picks.own.now = SmallCloud.now + moment * Self.hour
            await picks.own.cloud.runDueEvents()
        }
    }

    @Test(
        "An invalid recurrence is rejected with the reason",
        arguments: [
            ("daily", ""), (#"{"days":["someday"],"zone":"UTC"}"#, "a day of the week"),
            (#"{"days":["mon"],"zone":"Mars/Olympus"}"#, "there is no time zone"),
            (#"{"days":["mon"]}"#, "needs a time zone"),
        ])
    func wrong(every: String, reason: String) async throws {
        let picks = try await PickCloud()
        let said = try picks.own.save("a", PickCloud.Item(name: "a", every: every).fields)
        #expect(said.contains("every does not contain valid recurring hours") && said.contains(reason), "\(said)")
    }
}
