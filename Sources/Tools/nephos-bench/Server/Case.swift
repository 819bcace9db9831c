import NephosTesting

/// One measured request.
struct Case {
    /// The allowed processor time of the server per request, at 32 connections.
    enum Aim {
        case none
        /// Microseconds in total.
        case total(Double)
        /// Microseconds above the echo of the same sizes.
        case aboveEcho(Double)
    }

    /// The allowed number of allocations.
    enum AllocationAim {
        case none
        case perRequest(Double)
        case perRecord(Double)
    }

    var name: String
    var script: String
    var arguments: [String]
    /// Sizes of the request body and response body in bytes, for the echo.
    var bytesIn = 0, bytesOut = 0
    var records = 1.0
    var aim = Aim.none
    var allocationAim = AllocationAim.none
    /// Bodies of this case contain names that must not be reused.
    var isFresh = false
}

extension Case {
    /// The cases of the table in docs/performance.md.
    static func all(_ cloud: BenchCloud, _ wrk: Wrk) throws -> [Case] {
        let lookupBody = #"{"zoneID":{"zoneName":"Many"},"records":[{"recordName":"r5000"}]}"#
        let pageBody = #"{"zones":[{"zoneID":{"zoneName":"Page"}}]}"#
        let token = "\(try cloud.tokenAtEnd())"
        let emptyBody = #"{"zones":[{"zoneID":{"zoneName":"Page"},"syncToken":\#(token)}]}"#
        let create = BenchRecord.modify(zone: "New", names: ["NAME"])
        let batch = BenchRecord.modify(zone: "NewBatch", names: Array(repeating: "NAME", count: 200))
        func answer(_ endpoint: String, _ body: String) throws -> Int {
            try cloud.client.send("POST", cloud.client.path(endpoint, .private), body: Array(body.utf8)).body.count
        }
        let changes = cloud.target("changes/zone"), modify = cloud.target("records/modify")
        let pageBytes = try answer("changes/zone", pageBody)
        return [
            Case(
                name: "lookup of 1 record", script: "lookup.lua",
                arguments: [cloud.target("records/lookup"), "\(BenchCloud.lookups)"], bytesIn: lookupBody.utf8.count,
                bytesOut: try answer("records/lookup", lookupBody), aim: .aboveEcho(35), allocationAim: .perRequest(60)),
            Case(
                name: "create of 1 record, 10 fields", script: "fresh.lua",
                arguments: [modify, try wrk.file("create", create)], bytesIn: create.count,
                bytesOut: pageBytes / BenchCloud.page, aim: .aboveEcho(60), isFresh: true),
            Case(
                name: "modify of 200 records", script: "fresh.lua", arguments: [modify, try wrk.file("batch", batch)],
                bytesIn: batch.count, bytesOut: pageBytes, records: 200, aim: .total(6_000), isFresh: true),
            Case(
                name: "changes page of 200 records", script: "fixed.lua",
                arguments: [changes, try wrk.file("page", Array(pageBody.utf8))], bytesIn: pageBody.utf8.count,
                bytesOut: pageBytes, records: 200, aim: .aboveEcho(600), allocationAim: .perRecord(2)),
            Case(
                name: "empty changes page", script: "fixed.lua",
                arguments: [changes, try wrk.file("empty", Array(emptyBody.utf8))], bytesIn: emptyBody.utf8.count,
                bytesOut: try answer("changes/zone", emptyBody), aim: .aboveEcho(25)),
        ]
    }

    /// An echo with the sizes of this case: the cost of the transport alone.
    func echo(_ wrk: Wrk) throws -> Case {
        let body = [UInt8](repeating: 0x20, count: bytesIn)
        return Case(
            name: "echo", script: "fixed.lua",
            arguments: ["/bench/echo?bytes=\(bytesOut)", try wrk.file("echo-\(bytesIn)", body)])
    }

    /// The minimum cost of a request.
    static let empty = Case(name: "empty route", script: "fixed.lua", arguments: ["/bench/empty"])
}
