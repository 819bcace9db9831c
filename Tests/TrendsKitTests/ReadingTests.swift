import CloudKit
import Foundation
import NephosTesting
import NephosTransport
import Testing

@testable import NephosKit
@testable import Trends

extension TrendsKitTests {
    /// docs/trends-kit.md, "What a refresh reads".
    @Suite("What a refresh reads") struct ReadingTests {
        @Test("The first refresh reads everything, over many pages; later ones only what is new since the last check")
        func pages() async throws {
            let world = try World(at: "2027-03-18T12:00:00Z")
            let device = try world.device()
            for _ in 0..<3 {
                try await device.make(8)
                world.clock.advance(hours: 24)
            }
            let trends = device.trends()
            device.transport.forget()
            let first = await trends.refresh()
            #expect(first.message == nil && first.isComplete)
            #expect(first.days("Post") == ["2027-03-18": 8, "2027-03-19": 8, "2027-03-20": 8])
            #expect(device.transport.exchanges("records/query").count == 5 && device.recordsRead == 24)

            world.clock.advance(hours: 24)
            try await device.make(2)
            device.transport.forget()
            let second = await trends.refresh()
            #expect(second.days("Post")?["2027-03-22"] == 2 && second.days("Post")?.values.reduce(0, +) == 26)
            #expect(device.transport.exchanges("records/query").count == 1 && device.recordsRead == 2)
            #expect(try await trends.figures() == second.figures)
            try world.end()
        }

        @Test("Records of the same moment, some before a check and some after it, are each counted once")
        func moment() async throws {
            let world = try World()
            let device = try world.device()
            let trends = device.trends { $0.overlap = 0 }
            for (more, sum) in [(7, 7), (4, 11), (0, 11), (6, 17)] {
                try await device.make(more)
                #expect(await trends.refresh().days("Post") == ["2027-03-20": sum])
            }
            world.clock.advance(seconds: 1)
            try await device.make(1)
            for _ in 0..<2 {
                #expect(await trends.refresh().days("Post") == ["2027-03-20": 18])
                world.clock.advance(hours: 1)
            }
            try world.end()
        }

        @Test("An interrupted refresh keeps most of its work, and continues there")
        func brokenOff() async throws {
            let world = try World()
            let device = try world.device()
            for _ in 0..<20 {
                try await device.make(1)
                world.clock.advance(hours: 1)
            }
            let trends = device.trends { $0.pagesBetweenSaves = 1 }
            let queries = LockedBox(0)
            device.transport.onRequest { request throws(TransportFault) in
                guard request.path == "records/query" else { return }
                let number = queries.withLock {
                    $0 += 1; return $0
                }
                if number > 3 { throw unreachable }
            }
            let first = await trends.refresh()
            #expect(first.problem("Post")?.kind == .unreachable && first.figures?.lastCheck == [:])
            device.transport.onRequest(nil)
            device.transport.forget()
            let second = await trends.refresh()
            #expect(second.isComplete && second.days("Post")?.values.reduce(0, +) == 20)
            #expect(device.recordsRead < 10, "\(device.recordsRead)")
            try world.end()
        }

        @Test("A query whose pages bring nothing new ends with an error")
        func endlessPages() async throws {
            let transport = EndlessTransport {
                #"{"records":[{"recordName":"a","recordType":"Post"}],"continuationMarker":"\#($0)"}"#
            }
            let settings = NephosConfiguration(serverURL: URL(string: "http://cloud.test"))
            let service = Service(container: "iCloud.test", configuration: .success(settings), transport: transport)
            let container = CKContainer(ContainerCore(service), OperationDefaults())
            let records = PublicRecords(
                database: container.publicCloudDatabase, configuration: CKOperation.Configuration(), pageSize: 5)
            let error = await #expect(throws: CKError.self) {
                var pages = records.created("Post", since: nil, keys: [])
                for _ in 0..<1_000 { _ = try await pages.next() }
            }
            // The first page brings a record.
            #expect(error?.code == .limitExceeded && transport.requests.value == 101)
        }

        @Test("Stored counts of more records than the kit writes are not read")
        func endlessCounts() async throws {
            let transport = EndlessTransport { page in
                let records = (0..<10_000).map { #"{"recordName":"\#(page).\#($0)","recordType":"CKTrendsYear"}"# }
                let list = records.joined(separator: ",")
                return #"{"zones":[{"records":[\#(list)],"syncToken":"\#(page)","moreComing":true}]}"#
            }
            let settings = NephosConfiguration(serverURL: URL(string: "http://cloud.test"), webAuthToken: "t")
            let service = Service(container: "iCloud.test", configuration: .success(settings), transport: transport)
            let container = CKContainer(ContainerCore(service), OperationDefaults())
            let keeper = Keeper(
                database: container.privateCloudDatabase, zoneID: CKRecordZone.ID(zoneName: "CKTrends"),
                configuration: CKOperation.Configuration())
            await #expect(throws: TrendsProblem.self) { _ = try await keeper.read() }
            #expect(transport.requests.value == 2)
        }

        @Test("A deleted record stays counted on the day on which it was created")
        func deleted() async throws {
            let world = try World()
            let device = try world.device()
            let records = try await device.make(3)
            let trends = device.trends()
            for _ in 0..<3 {
                await trends.refresh()
                world.clock.advance(hours: 1)
            }
            let ids = records.prefix(2).map(\.recordID)
            _ = try await device.container.publicCloudDatabase.modifyRecords(saving: [], deleting: ids)
            world.clock.advance(hours: 1)
            #expect(await trends.refresh().days("Post") == ["2027-03-20": 3])
            try world.end()
        }
    }
}

/// A server that always announces more.
private struct EndlessTransport: Transport {
    let requests = LockedBox(0)
    private let body: @Sendable (Int) -> String

    /// - Parameter body: Returns the body of each response, by its number.
    init(_ body: @escaping @Sendable (Int) -> String) { self.body = body }

    func send(_ request: TransportRequest) async throws(TransportFault) -> TransportAnswer {
        guard request.path != "users/caller" else {
            return TransportAnswer(status: 200, body: Data(#"{"userRecordName":"_me"}"#.utf8))
        }
        let number = requests.withLock { count in
            count += 1
            return count
        }
        guard number <= 1_000 else { throw unreachable }
        return TransportAnswer(status: 200, body: Data(body(number).utf8))
    }
}
