import Foundation
import NephosTesting

/// Requests for content of a thousand records, and of many more.
enum ContentRequests {
    static let few = 1_000
    /// `NEPHOS_BENCH_CONTENT` sets another number.
    static let many = ProcessInfo.processInfo.environment["NEPHOS_BENCH_CONTENT"].flatMap(Int.init) ?? 100_000
    /// The number of records of a query's type; with a gate, every other one is not published yet.
    private static let half = 2_000

    static let settings = """
        content:
          Shown: {publishedAt: day, weight: rank, collection: kind}
          Picked: {publishedAt: day, weight: rank, collection: kind}
          Half: {publishedAt: day}
        """

    /// The record types in addition to those of other rows; Whole is not content.
    static let types = ["Picked", "Half", "Whole"]

    /// - Parameter days: The publication time of each record, by its number.
    static func records(_ type: String, _ numbers: Range<Int>, days: (Int) -> Int64) -> String {
        let operations = numbers.map { number in
            """
            {"operationType":"create","record":{"recordName":"\(type)-\(number)","recordType":"\(type)","fields":{\
            "title":{"value":"A short note"},"kind":{"value":"kind\(number % 5)"},"rank":{"value":7},\
            "day":{"value":\(days(number)),"type":"TIMESTAMP"}}}}
            """
        }
        return #"{"operations":[\#(operations.joined(separator: ","))]}"#
    }

    /// Fills a container, and waits until its records are ready for picking.
    ///
    /// - Parameter count: The number of records that may be picked.
    static func fill(_ client: CloudKitClient, _ count: Int) throws {
        func fill(_ type: String, _ count: Int, _ days: (Int) -> Int64) throws {
            for start in stride(from: 0, to: count, by: 200) {
                let body = records(type, start..<min(start + 200, count), days: days)
                let answer = try client.send("POST", client.path("records/modify", .public), body: Array(body.utf8))
                guard answer.status == 200 else { throw Wrk.Failure(description: "\(type): \(answer.status)") }
            }
        }
        try fill("Picked", count) { _ in 1_700_000_000_123 }
        if count == few {
            for type in ["Half", "Whole"] {
                try fill(type, half) { $0 % 2 == 0 ? 1_700_000_000_123 : 4_000_000_000_000 }
            }
        }
        let isSorted = try Deadline(seconds: 1_800).waits {
            try ask(client, "pick").json["eligible"].int64 == Int64(count)
        }
        guard isSorted else { throw Wrk.Failure(description: "\(count) records did not become eligible") }
    }

    static func ask(_ client: CloudKitClient, _ what: String, _ query: String = "", tag: String? = nil) throws
        -> HTTPResponse
    {
        client.headers = tag.map { [HTTPHeader("If-None-Match", $0)] } ?? []
        defer { client.headers = [] }
        return try client.send(
            "GET", "/nephos/1/\(client.container)/development/content/Picked/\(what)?\(query)", body: nil)
    }

    static func query(_ client: CloudKitClient, _ type: String) throws -> HTTPResponse {
        let body = #"{"resultsLimit":50,"query":{"recordType":"\#(type)"}}"#
        // Sent by a caller without write access: creators always see their own records.
        return try client.asApp {
            try client.send("POST", client.path("records/query", .public), body: Array(body.utf8))
        }
    }
}

extension CloudKitClient {
    /// Runs `body` without a user.
    func asApp<Value>(_ body: () throws -> Value) rethrows -> Value {
        let before = credentials
        defer { credentials = before }
        if case .person(let apiToken, _) = before { credentials = .app(apiToken: apiToken) }
        return try body()
    }
}
