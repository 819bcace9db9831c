import CloudKit
import Foundation
import NephosTesting
import NephosTransport
import Testing
import Trends

extension TrendsKitTests {
    /// docs/trends-kit.md, "When something is wrong".
    @Suite("Added, removed and invalid types") struct TypeTests {
        @Test(
            "An added type is read in full, a removed one continues later where it ended, and others are unaffected (S4-17)"
        )
        func added() async throws {
            let world = try World()
            let device = try world.device()
            try await device.make(6)
            try await device.make(7, "Novenas")
            world.clock.advance(hours: 24)
            #expect(await device.trends(["Post"]).refresh().figures?.trackedTypes == ["Post"])

            world.clock.advance(hours: 24)
            try await device.make(1)
            device.transport.forget()
            let both = await device.trends(["Post", "Novenas"]).refresh()
            #expect(
                both.days("Post") == ["2027-03-20": 6, "2027-03-22": 1] && both.days("Novenas") == ["2027-03-20": 7])
            #expect(device.recordsRead == 8)
            #expect(both.figures?.lastCheck.keys.sorted() == ["Novenas", "Post"])

            world.clock.advance(hours: 24)
            let one = await device.trends(["Novenas"]).refresh()
            #expect(one.figures?.trackedTypes == ["Novenas"] && one.days("Post") == nil)
            try await device.make(2)
            device.transport.forget()
            let again = await device.trends(["Novenas", "Post"]).refresh()
            #expect(again.days("Post")?.values.reduce(0, +) == 9 && device.recordsRead == 3)
            try world.end()
        }

        @Test("An unknown type is reported with what to change, and the others are counted")
        func unknown() async throws {
            let world = try World()
            let device = try world.device()
            try await device.make(3)
            let result = await device.trends(["Pots", "Post"]).refresh()
            #expect(result.problem("Pots")?.kind == .unknownType && result.problem("Post") == nil)
            #expect(
                result.message
                    == "there is no record type Pots: correct its name in the app, remove it there, or add the type to the schema"
            )
            #expect(result.days("Post")?.count == 1 && result.figures?.lastCheck.keys.sorted() == ["Post"])
            #expect(!result.isComplete && result.figures?.trackedTypes == ["Pots", "Post"])
            try world.end()
        }

        @Test("A type without its index, one without read access, and users are each reported with what to change")
        func refused() async throws {
            let time = #""___createTime" TIMESTAMP QUERYABLE SORTABLE"#
            let world = try World(
                schema: [
                    TestContainer.recordType("Plain", ["text STRING"]),
                    TestContainer.recordType("Half", [#""___createTime" TIMESTAMP QUERYABLE"#, "text STRING"]),
                    #"RECORD TYPE Secret (\#(time), text STRING, GRANT CREATE TO "_icloud");"#,
                    TestContainer.recordType("Post", World.indexed),
                ].joined(separator: "\n"))
            let device = try world.device()
            try await device.make(1)
            let result = await device.trends(["Plain", "Half", "Secret", "Users", "Post"]).refresh()
            for name in ["Plain", "Half"] {
                #expect(result.problem(name)?.kind == .notQueryable, "\(String(describing: result.problem(name)))")
                #expect(
                    result.problem(name)?.advice.contains("createdTimestamp of \(name) queryable and sortable") == true)
            }
            #expect(result.problem("Secret")?.kind == .notPermitted, "\(String(describing: result.problem("Secret")))")
            #expect(result.problem("Users")?.kind == .notQueryable, "\(String(describing: result.problem("Users")))")
            #expect(result.problem("Post") == nil && result.days("Post")?.count == 1)
            #expect(result.message?.split(separator: "\n").count == 4)
            try world.end()
        }

        @Test("A missing account and a missing response are each reported once, and requested once; nothing is thrown")
        func nobody() async throws {
            let world = try World()
            let stranger = try world.device(nil)
            let result = await stranger.trends(["Post", "Novenas"]).refresh()
            #expect(result.states.map { $0.problem?.kind } == [.notSignedIn, .notSignedIn] && result.figures == nil)
            #expect(result.message?.contains("\n") == false)

            let device = try world.device()
            let tries = LockedBox(0)
            device.transport.onRequest { _ throws(TransportFault) in
                tries.withLock { $0 += 1 }
                throw unreachable
            }
            let trends = device.trends(["Post", "Novenas"])
            #expect(await trends.refresh().states.map { $0.problem?.kind } == [.unreachable, .unreachable])
            #expect(tries.value == 1)
            device.transport.onRequest(nil)
            #expect(await trends.refresh().isComplete)
            try world.end()
        }
    }
}
