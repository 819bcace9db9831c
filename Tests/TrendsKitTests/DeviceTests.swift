import CloudKit
import Foundation
import NephosTesting
import NephosTransport
import Testing
import Trends

extension TrendsKitTests {
    /// docs/trends-kit.md, "Where counts are stored".
    @Suite("Several devices of a person") struct DeviceTests {
        @Test("Another device continues where the first ended; another person starts separately")
        func goesOn() async throws {
            let world = try World()
            let (phone, tablet) = (try world.device(), try world.device())
            try await phone.make(12)
            world.clock.advance(hours: 24)
            await phone.trends().refresh()
            world.clock.advance(hours: 24)
            try await phone.make(1)
            #expect(await tablet.trends().refresh().days("Post") == ["2027-03-20": 12, "2027-03-22": 1])
            #expect(tablet.recordsRead == 1)
            let other = try world.device("grace@example.org")
            #expect(try await other.trends().figures().series.map(\.days) == [[:]])
            #expect(await other.trends().refresh().days("Post") == ["2027-03-20": 12, "2027-03-22": 1])
            #expect(other.recordsRead == 13)
            try world.end()
        }

        @Test("If another device saves between reading and saving, nothing is counted twice", arguments: [1, 2, 3])
        func between(request: Int) async throws {
            let world = try World()
            let (phone, tablet) = (try world.device(), try world.device())
            try await phone.make(12)
            world.clock.advance(hours: 24)
            if request == 3 {
                // Not the first refresh, with days that are already stored.
                await tablet.trends().refresh()
                world.clock.advance(hours: 1)
                try await phone.make(3)
            }
            let saves = LockedBox(0)
            phone.transport.onRequest { asked throws(TransportFault) in
                guard asked.path == "records/modify" else { return }
                if saves.withLock({
                    $0 += 1; return $0
                }) == (request == 3 ? 1 : request) {
                    await tablet.trends().refresh()
                }
            }
            let sum = request == 3 ? 15 : 12
            let result = await phone.trends().refresh()
            #expect(result.isComplete && result.days("Post")?.values.reduce(0, +) == sum, "\(result)")
            #expect(saves.value > 1)
            let stored = try await tablet.trends().figures()
            #expect(stored.series.first?.days.values.reduce(0, +) == sum)
            try world.end()
        }

        @Test("Four devices count concurrently, repeatedly, while records are created")
        func atOnce() async throws {
            let world = try World()
            let devices = try (0..<4).map { _ in try world.device() }
            var sum = 0
            for round in 1...6 {
                try await devices[0].make(round)
                sum += round
                await withTaskGroup(of: TrendsRefresh.self) { group in
                    for device in devices {
                        group.addTask { await device.trends(lists: ["Novenas.names"]) { $0.triesMax = 50 }.refresh() }
                    }
                    for await result in group {
                        #expect(result.isComplete && result.days("Post")?.values.reduce(0, +) == sum, "\(result)")
                    }
                }
                world.clock.advance(hours: round.isMultiple(of: 2) ? 10 : 0, seconds: 100)
            }
            try world.end()
        }

        @Test("A device that is always too late reports that, and miscounts nothing")
        func busy() async throws {
            let world = try World()
            let (phone, tablet) = (try world.device(), try world.device())
            try await phone.make(3)
            await tablet.trends().refresh()
            phone.transport.onRequest { asked throws(TransportFault) in
                if asked.path == "records/modify" { await tablet.trends().refresh() }
            }
            phone.transport.forget()
            let result = await phone.trends { $0.triesMax = 3 }.refresh()
            #expect(result.problem("Post")?.kind == .busy)
            #expect(phone.transport.exchanges("records/modify").count == 3)
            #expect(try await tablet.trends().figures().series.map(\.days) == [["2027-03-20": 3]])
            try world.end()
        }

        @Test("A response lost after the save counts nothing twice")
        func lost() async throws {
            let world = try World()
            let (phone, tablet) = (try world.device(), try world.device())
            try await phone.make(3)
            let trends = phone.trends()
            await trends.refresh()
            try await phone.make(2)
            let saves = LockedBox(0)
            phone.transport.onRequest { asked throws(TransportFault) in
                guard asked.path == "records/modify",
                    saves.withLock({
                        $0 += 1; return $0
                    }) == 1
                else { return }
                // The request arrives, and its response is lost.
                _ = try await LocalTransport(port: world.cloud.server.port).send(asked)
                throw TransportFault(kind: .lost, message: "the connection broke")
            }
            #expect(await trends.refresh().days("Post") == ["2027-03-20": 5])
            #expect(try await tablet.trends().figures().series.map(\.days) == [["2027-03-20": 5]])
            try world.end()
        }

        @Test("A removed zone of counts is created again, and everything is read again")
        func removed() async throws {
            let world = try World()
            let device = try world.device()
            try await device.make(3)
            let trends = device.trends()
            await trends.refresh()
            let zone = CKRecordZone.ID(zoneName: "CKTrends")
            _ = try await device.container.privateCloudDatabase.deleteRecordZone(withID: zone)
            #expect(try await trends.figures().lastCheck == [:])
            #expect(await trends.refresh().days("Post") == ["2027-03-20": 3])
            try world.end()
        }
    }
}
