import CloudKit
import Foundation
import NephosKit
import NephosTesting

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Measures the cost of the client library in a program: processor time per record for saving and fetching 10,000 records in
/// batches, compared with loops that transfer the same number of bytes without parsing them. docs/performance.md has method and
/// results.
enum ClientBenchmark {
    private static let records = 10_000
    private static let batch = 200
    private static let rounds = 3

    static func run() async {
        do {
            let cloud = try BenchCloud()
            let library = try database(cloud)
            var table = Table(["what", "in all", "library", "socket", "ratio", "aim", "URLSession", "ratio"])
            // One after the other, so that the state of the server is the same for each.
            var (saving, fetching): (Samples, Samples) = (Samples(), Samples())
            for round in 0...rounds {
                let (zone, other, third) = ("L\(round)", "S\(round)", "U\(round)")
                for name in [zone, other, third] { try await library.save(CKRecordZone(zoneName: name)) }
                let bodies = try self.bodies(zone: other)
                let session = try self.bodies(zone: third)
                let socket = SocketLoop(cloud)
                let own = URLSessionLoop(cloud)
                let saved = Sample(
                    library: try await cpu { try await save(library, zone) },
                    socket: try await cpu { try socket.post("records/modify", bodies) },
                    session: try await cpu { try await own.post("records/modify", session) })
                let fetched = Sample(
                    library: try await cpu { try await fetch(library, zone) },
                    socket: try await cpu { try socket.follow(zone) },
                    session: try await cpu { try await own.follow(zone) })
                // The first round is for warm-up.
                guard round > 0 else { continue }
                saving.add(saved)
                fetching.add(fetched)
                saving.bytes = bodies.reduce(0) { $0 + $1.count }
                fetching.bytes = socket.received
            }
            table.add(saving.row("save 10,000 records, 200 at a time"))
            table.add(fetching.row("fetch 10,000 records from a feed, 200 a page"))
            print("Client library: processor time per record (median of \(rounds))\n\n\(table.text)")
        } catch {
            print("\(error)")
            exit(1)
        }
    }

    private static func database(_ cloud: BenchCloud) throws -> CKDatabase {
        let (apiToken, webAuthToken) = cloud.tokens
        let configuration = NephosConfiguration(
            serverURL: URL(string: "http://127.0.0.1:\(cloud.server.port)"), apiToken: apiToken,
            webAuthToken: webAuthToken)
        return CKContainer(identifier: cloud.container, configuration: configuration).privateCloudDatabase
    }

    private static func cpu(_ work: () async throws -> Void) async rethrows -> Double {
        let start = CPUTime.seconds()
        try await work()
        return CPUTime.seconds() - start
    }

    private static func save(_ database: CKDatabase, _ zone: String) async throws {
        let zoneID = CKRecordZone.ID(zoneName: zone)
        for start in stride(from: 0, to: records, by: batch) {
            let made = (start..<start + batch).map { number in
                let id = CKRecord.ID(recordName: "record-\(number)", zoneID: zoneID)
                let record = CKRecord(recordType: "Contact", recordID: id)
                record["firstName"] = "Ada \(number)"
                record["lastName"] = "Lovelace"
                record["email"] = "ada\(number)@example.org"
                record["note"] = "A note of some words, as people write them, number \(number)."
                record["age"] = number % 100
                record["score"] = Double(number) / 3
                record["birthday"] = Date(timeIntervalSince1970: Double(number) * 86_400)
                record["tags"] = ["friend", "engine"]
                return record
            }
            let saved = try await database.modifyRecords(saving: made, deleting: []).saveResults
            for (_, result) in saved { _ = try result.get() }
        }
    }

    private static func fetch(_ database: CKDatabase, _ zone: String) async throws {
        let zoneID = CKRecordZone.ID(zoneName: zone)
        var (token, count): (CKServerChangeToken?, Int) = (nil, 0)
        while true {
            let page = try await database.recordZoneChanges(inZoneWith: zoneID, since: token)
            for (_, result) in page.modificationResultsByID { _ = try result.get() }
            count += page.modificationResultsByID.count
            token = page.changeToken
            if !page.moreComing { break }
        }
        guard count == records else { throw Wrk.Failure(description: "\(count) records arrived") }
    }

    /// The bodies that the library sends, by size.
    private static func bodies(zone: String) throws -> [[UInt8]] {
        stride(from: 0, to: records, by: batch).map { start in
            let operations = (start..<start + batch).map { number -> JSON in
                [
                    "operationType": "create",
                    "record": [
                        "recordName": .string("record-\(number)"), "recordType": "Contact",
                        "fields": [
                            "firstName": ["value": .string("Ada \(number)"), "type": "STRING"],
                            "lastName": ["value": "Lovelace", "type": "STRING"],
                            "email": ["value": .string("ada\(number)@example.org"), "type": "STRING"],
                            "note": [
                                "value": .string("A note of some words, as people write them, number \(number)."),
                                "type": "STRING",
                            ],
                            "age": ["value": .number("\(number % 100)"), "type": "INT64"],
                            "score": ["value": .number("\(Double(number) / 3)"), "type": "DOUBLE"],
                            "birthday": ["value": .number("\(number * 86_400_000)"), "type": "TIMESTAMP"],
                            "tags": ["value": ["friend", "engine"], "type": "STRING_LIST"],
                        ],
                    ],
                ]
            }
            let body: JSON = [
                "zoneID": ["zoneName": .string(zone)], "atomic": true, "desiredKeys": [],
                "operations": .array(operations),
            ]
            return body.bytes
        }
    }

    fileprivate struct Sample {
        var library, socket, session: Double
    }

    fileprivate struct Samples {
        var bytes = 0
        private var all: [Sample] = []

        mutating func add(_ sample: Sample) { all.append(sample) }

        private func median(_ value: (Sample) -> Double) -> Double {
            all.map(value).sorted()[all.count / 2] / Double(records) * 1e6
        }

        func row(_ name: String) -> [String] {
            let (library, socket, session) = (median(\.library), median(\.socket), median(\.session))
            func µs(_ value: Double) -> String { String(format: "%.1f µs", value) }
            let ratio = String(format: "%.1f", library / socket)
            return [
                name, String(format: "%.1f MB", Double(bytes) / 1e6), µs(library), µs(socket), ratio, "≤ 3.0",
                µs(session), String(format: "%.1f", library / session),
            ]
        }
    }
}
