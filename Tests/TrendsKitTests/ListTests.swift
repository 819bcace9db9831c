import CloudKit
import Foundation
import Testing
import Trends

extension TrendsKitTests {
    /// docs/trends-kit.md, "Lists".
    @Suite("Lists") struct ListTests {
        private func refresh(_ device: Device, _ list: TrendsList) async -> TrendsRefresh {
            await device.trends([], lists: [list]).refresh()
        }

        private func names(_ count: Int) -> [String] { (0..<count).map { "n\($0)" } }

        @Test(
            "The elements of a list in the newest record, a named one, and all: last count of each day, change since the last check"
        )
        func choices() async throws {
            let world = try World()
            let device = try world.device()
            let database = device.container.publicCloudDatabase
            let master = CKRecord(recordType: "Novenas", recordID: CKRecord.ID(recordName: "master"))
            master["names"] = names(4)
            var saved = try await database.save(master)
            world.clock.advance(seconds: 60)
            try await device.make(6, "Novenas") { $0["names"] = names(2) }

            let (all, named, newest) = (
                TrendsList("Novenas", "names", of: .all), TrendsList("Novenas", "names", of: .record("master")),
                "Novenas.names" as TrendsList
            )
            let first = await refresh(device, all)
            #expect(
                first.message == nil && first.figures?.totals == ["Novenas.names": 16] && first.figures?.deltas == [:])
            world.clock.advance(hours: 24)
            saved["names"] = names(7)
            saved = try await database.save(saved)
            #expect(await refresh(device, all).figures?.deltas == ["Novenas.names": 3])
            // The lengths of other records are not comparable.
            let other = await refresh(device, named)
            #expect(other.figures?.totals == ["Novenas.names": 7] && other.figures?.deltas == [:])
            saved["names"] = names(1)
            saved = try await database.save(saved)
            world.clock.advance(seconds: 60)
            let less = await refresh(device, named)
            #expect(less.figures?.deltas == ["Novenas.names": -6])
            #expect(less.days("Novenas.names") == ["2027-03-21": 1])
            #expect(await refresh(device, named).figures?.deltas == ["Novenas.names": 0])
            #expect(await refresh(device, newest).figures?.totals == ["Novenas.names": 2])
            try world.end()
        }

        @Test(
            "An emptied list has no elements; a missing field, and one that is not a list, are reported"
        )
        func fields() async throws {
            let world = try World()
            let device = try world.device()
            let record = CKRecord(recordType: "Novenas", recordID: CKRecord.ID(recordName: "master"))
            (record["names"], record["text"]) = (names(3), "x")
            let saved = try await device.container.publicCloudDatabase.save(record)
            #expect(await refresh(device, "Novenas.names").figures?.totals == ["Novenas.names": 3])
            saved["names"] = nil as [String]?
            try await device.container.publicCloudDatabase.save(saved)
            let emptied = await refresh(device, "Novenas.names").figures
            #expect(emptied?.totals == ["Novenas.names": 0] && emptied?.deltas == ["Novenas.names": -3])

            for (list, kind): (TrendsList, TrendsProblem.Kind) in [
                ("Novenas.nmaes", .noSuchField), ("Novenas", .noSuchField), ("Novenas.text", .notAList),
                ("Pots.names", .unknownType), (TrendsList("Novenas", "names", of: .record("mister")), .noSuchRecord),
                (TrendsList("Post", "names", of: .record("master")), .noSuchRecord),
            ] {
                let result = await refresh(device, list)
                #expect(result.states.map { $0.problem?.kind } == [kind], "\(list): \(result.message ?? "")")
            }
            try world.end()
        }

        @Test("Without records there are no elements")
        func nothing() async throws {
            let world = try World()
            let device = try world.device()
            for choice in [TrendsList.Choice.newest, .all] {
                let result = await refresh(device, TrendsList("Novenas", "names", of: choice))
                #expect(result.isComplete && result.figures?.totals == ["Novenas.names": 0], "\(result.message ?? "")")
            }
            try world.end()
        }
    }
}
