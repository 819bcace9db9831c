import NephosTesting

/// Building an index over many records while a client saves.
struct IndexBuilding {
    static let records = 1_000_000

    struct Result {
        var seconds: Double
        var saves: Int
        /// Response times of saves, in microseconds: during the build, and before.
        var percentile99, percentile99Before: Double
    }

    private let cloud: BenchCloud

    init() throws {
        cloud = try BenchCloud()
        try cloud.fill("Many", Self.records)
    }

    func run() throws -> Result {
        var before: [Double] = []
        for number in 0..<500 { before.append(try save("before\(number)")) }
        let body =
            #"{"zoneID":{"zoneName":"Many"},"query":{"recordType":"Note","filterBy":[{"fieldName":"count","#
            + #""comparator":"GREATER_THAN","fieldValue":{"value":0}}],"sortBy":[{"fieldName":"count"}]},"#
            + #""resultsLimit":1}"#
        let start = ContinuousClock.now
        var during: [Double] = []
        let asker = cloud.client
        while true {
            let answer = try asker.send("POST", asker.path("records/query", .private), body: Array(body.utf8))
            if answer.status == 200 { break }
            for _ in 0..<50 { during.append(try save("during\(during.count)")) }
        }
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        return Result(
            seconds: seconds, saves: during.count, percentile99: Self.percentile99(during),
            percentile99Before: Self.percentile99(before))
    }

    /// Builds the same index again, without saves.
    func chunks() throws -> IndexChunks {
        guard let store = cloud.server.command.store else { throw Wrk.Failure(description: "the server has no store") }
        return try IndexChunks.measure(store, container: cloud.container)
    }

    private static func percentile99(_ times: [Double]) -> Double {
        times.isEmpty ? 0 : times.sorted()[(times.count - 1) * 99 / 100]
    }

    /// Microseconds from the request to its answer.
    private func save(_ name: String) throws -> Double {
        let client = cloud.client
        let body = BenchRecord.modify(zone: "New", names: [name])
        let connection = try client.open()
        let start = ContinuousClock.now
        let answer = try client.send("POST", client.path("records/modify", .private), body: body)
        guard answer.status == 200 else { throw Wrk.Failure(description: "save: \(answer.status)") }
        withExtendedLifetime(connection) {}
        return (ContinuousClock.now - start) / .microseconds(1)
    }
}
