import Foundation
import NephosTesting
import Synchronization
import Testing

/// A separate server for tests that exhaust it, with one user in one container.
struct Busy {
    let server: ServerProcess
    let container = "iCloud.test.busy"
    /// The user's credentials, as a query.
    let query: String
    private let credentials: Credentials

    /// - Parameter limits: Environment variables of the server.
    init(_ limits: [String: String] = [:]) throws {
        server = try ServerProcess(environment: limits)
        try server.command("container", "create", container)
        try server.command("account", "create", "ada@example.org")
        credentials = .person(
            apiToken: try server.command("token", "create", container),
            webAuthToken: try server.command("session", "create", container, "ada@example.org"))
        query = credentials.query.joined(separator: "&")
        let zone: JSON = ["zoneID": ["zoneName": "Big"]]
        _ = try client.post("zones/modify", .private, ["operations": [["operationType": "create", "zone": zone]]])
    }

    var client: CloudKitClient { CloudKitClient(port: server.port, container: container, credentials: credentials) }

    /// Expects that a user gets a response.
    func expectWell(sourceLocation: SourceLocation = #_sourceLocation) throws {
        let response = try client.get("zones/list")
        try #require(response.status == 200, sourceLocation: sourceLocation)
    }

    /// The value of a metric without labels.
    func metric(_ name: String) -> Double? {
        guard let connection = try? HTTPConnection(port: server.port),
            let response = try? connection.exchange(HTTPRequest("GET", "/metrics"))
        else { return nil }
        let lines = String(decoding: response.body, as: UTF8.self).split(separator: "\n")
        return lines.first { $0.hasPrefix(name + " ") }.flatMap { Double($0.dropFirst(name.count + 1)) }
    }

    /// A request that saves one record in zone Big.
    func save(_ name: String, text: String = "x") -> HTTPRequest {
        let record: JSON = [
            "recordName": .string(name), "recordType": "Item", "fields": ["text": ["value": .string(text)]],
        ]
        let body: JSON = [
            "zoneID": ["zoneName": "Big"], "operations": [["operationType": "create", "record": record]],
        ]
        return HTTPRequest(
            "POST", "/database/1/\(container)/development/private/records/modify?\(query)", body: body.bytes)
    }

    /// Saves records of 0.9 MB in zone Big.
    func fill(megabytes: Int) throws {
        let connection = try HTTPConnection(port: server.port)
        for number in 0...megabytes {
            let response = try connection.exchange(save("big\(number)", text: String(repeating: "x", count: 900_000)))
            try #require(response.status == 200)
        }
    }

    /// Names of all records in zone Big.
    func names() throws -> Set<String> {
        var names: Set<String> = []
        var token: JSON = .absent
        while true {
            let zone: JSON = ["zoneID": ["zoneName": "Big"], "syncToken": token]
            let answer = try client.post("changes/zone", .private, ["zones": [zone]]).json["zones"][0]
            for record in answer["records"].elements { names.insert(record["recordName"].string ?? "") }
            token = answer["syncToken"]
            if answer["moreComing"] != true { return names }
        }
    }
}

/// Runs blocking work on separate threads.
enum Threads {
    /// Calls `body` concurrently with 0, 1, 2 …, and returns the results in order.
    static func each<Output: Sendable>(_ count: Int, _ body: @escaping @Sendable (Int) -> Output) -> [Output] {
        let outputs = Outputs<Output>()
        let group = DispatchGroup()
        for number in 0..<count {
            group.enter()
            Thread.detachNewThread {
                let output = body(number)
                outputs.byNumber.withLock { $0[number] = output }
                group.leave()
            }
        }
        group.wait()
        return outputs.byNumber.withLock { byNumber in byNumber.sorted { $0.key < $1.key }.map(\.value) }
    }

    private final class Outputs<Output: Sendable>: Sendable {
        let byNumber = Mutex<[Int: Output]>([:])
    }
}
