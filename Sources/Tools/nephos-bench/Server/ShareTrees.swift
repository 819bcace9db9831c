import Foundation
import NephosTesting
import Synchronization

/// Trees of records that are shared, moved and no longer shared, while another person of the same container saves.
final class ShareTrees {
    struct Row {
        var what: String
        /// Until the response, and until the work in the background has ended, in milliseconds; nil if there is none.
        var response: Double
        var end: Double?
        var waits: Waits
    }

    /// Response times of the other person's saves meanwhile, in milliseconds.
    struct Waits {
        var count: Int
        var median, percentile99, longest: Double

        init(_ times: [Double]) {
            let times = times.sorted()
            count = times.count
            median = times.isEmpty ? 0 : times[count / 2]
            percentile99 = times.isEmpty ? 0 : times[(count - 1) * 99 / 100]
            longest = times.last ?? 0
        }
    }

    private let server: ServerProcess
    private let owner, friend: CloudKitClient
    private let friendName: String
    private let saver: Saver

    /// - Parameters:
    ///   - postgres: Where the store is; nil for SQLite.
    ///   - program: The server's program; nil for the one of this checkout.
    init(on postgres: PostgresServer?, program: String? = nil) throws {
        let environment = try postgres.map { ["NEPHOS_STORE": try $0.createDatabase()] } ?? [:]
        let server = try ServerProcess(["--bench", "--quiet"], environment: environment, executable: program)
        self.server = server
        let container = "iCloud.test.trees"
        try server.command("container", "create", container)
        let apiToken = try server.command("token", "create", container)
        func person(_ email: String) throws -> CloudKitClient {
            try server.command("account", "create", email)
            return CloudKitClient(
                port: server.port, container: container,
                credentials: .person(
                    apiToken: apiToken, webAuthToken: try server.command("session", "create", container, email)),
                timeout: 600)
        }
        owner = try person("ada@example.org")
        friend = try person("grace@example.org")
        let other = try person("alan@example.org")
        friendName = try Self.ask(friend, .public, "users/caller", "{}")["userRecordName"].string ?? ""
        _ = try Self.makeZone("New", other)
        _ = try Self.makeZone("Trees", owner)
        saver = Saver(other)
    }

    /// - Parameter sizes: The number of records of each tree.
    func run(_ sizes: [Int]) throws -> [Row] {
        var rows = [
            Row(what: "nothing", response: 0, end: nil, waits: try saver.waits { Thread.sleep(forTimeInterval: 3) })
        ]
        for size in sizes {
            let tree = "tree\(size)"
            try plant(tree, size)
            try rest()
            var guid = ""
            rows.append(
                try row("share of \(size) records") {
                    guid = try self.share(tree)
                } untilEnd: {
                    try self.accept(guid)
                })
            rows.append(
                try row("end of the share of \(size) records") {
                    try self.modify([#"{"operationType":"forceDelete","record":{"recordName":"share-\#(tree)"}}"#])
                } untilEnd: {
                    // Cleaned up in the background; nothing says when.
                    Thread.sleep(forTimeInterval: 3)
                })
        }
        let shared = "target"
        try plant(shared, 1)
        try accept(share(shared))
        for size in [100, 500, 1_000, 4_000] {
            let tree = "moved\(size)"
            try plant(tree, size)
            try rest()
            for (what, parent) in [("into a share", shared), ("out of a share", nil)] {
                rows.append(
                    try row("move of \(size) records \(what)") {
                        try self.modify([Self.save("\(tree)-0", parent: parent, kind: "forceReplace")])
                    } untilEnd: {
                    })
            }
        }
        try server.stop()
        return rows
    }

    private func row(_ what: String, _ body: () throws -> Void, untilEnd: () throws -> Void) throws -> Row {
        var (response, end) = (0.0, 0.0)
        let waits = try saver.waits {
            // The other person has begun.
            Thread.sleep(forTimeInterval: 0.2)
            let start = ContinuousClock.now
            try body()
            response = (.now - start) / .milliseconds(1)
            try untilEnd()
            end = (.now - start) / .milliseconds(1)
        }
        return Row(what: what, response: response, end: end, waits: waits)
    }

    /// Lets the work in the background end that earlier saves began.
    private func rest() throws {
        var (quiet, before) = (0, try server.usage.cpuNanoseconds)
        let isQuiet = try Deadline(seconds: 300).waits {
            _ = Deadline(seconds: 0.5).waits { false }
            let now = try server.usage.cpuNanoseconds
            quiet = now - before < 10_000_000 ? quiet + 1 : 0
            before = now
            return quiet >= 3
        }
        guard isQuiet else { throw Wrk.Failure(description: "the server was not idle within 300 s") }
    }

    /// Saves a record with records below it: a hundred directly, and what else there is in rows of up to 50 below these.
    private func plant(_ tree: String, _ size: Int) throws {
        try modify([Self.save("\(tree)-0", parent: nil)])
        for start in stride(from: 1, to: size, by: 200) {
            try modify(
                (start..<min(start + 200, size)).map { number in
                    Self.save(
                        "\(tree)-\(number)",
                        parent: "\(tree)-\(number > 100 && number % 5_000 > 100 ? number - 100 : 0)")
                })
        }
    }

    private func share(_ tree: String) throws -> String {
        let response = try modify([
            #"""
            {"operationType":"create","record":{"recordName":"share-\#(tree)","recordType":"cloudkit.share","forRecord":{"recordName":"\#(tree)-0"},\#
            "participants":[{"type":"USER","permission":"READ_WRITE","acceptanceStatus":"INVITED",\#
            "userIdentity":{"lookupInfo":{"userRecordName":"\#(friendName)"}}}]}}
            """#
        ])
        guard let guid = response["records"][0]["shortGUID"].string else {
            throw Wrk.Failure(description: "\(response)")
        }
        return guid
    }

    /// Accepts a share as soon as its records are marked.
    private func accept(_ guid: String) throws {
        let isAccepted = try Deadline(seconds: 600).waits {
            let response = try Self.send(friend, .public, "records/accept", #"{"shortGUIDs":[{"value":"\#(guid)"}]}"#)
            let code = try response.json["results"][0]["serverErrorCode"].string
            guard code == nil || code == "TRY_AGAIN_LATER" else { throw Wrk.Failure(description: response.text) }
            return code == nil
        }
        guard isAccepted else { throw Wrk.Failure(description: "the share was not prepared within 600 s") }
    }

    @discardableResult
    private func modify(_ operations: [String]) throws -> JSON {
        try Self.ask(
            owner, .private, "records/modify",
            #"{"zoneID":{"zoneName":"Trees"},"operations":[\#(operations.joined(separator: ","))]}"#)
    }

    private static func save(_ name: String, parent: String?, kind: String = "create") -> String {
        let parent = parent.map { $0.contains("-") ? $0 : "\($0)-0" }.map { #"{"recordName":"\#($0)"}"# } ?? "null"
        return #"""
            {"operationType":"\#(kind)","record":{"recordName":"\#(name)","recordType":"Note","parent":\#(parent),\#
            "fields":{\#(BenchRecord.fields)}}}
            """#
    }

    private static func makeZone(_ name: String, _ client: CloudKitClient) throws -> JSON {
        try ask(
            client, .private, "zones/modify",
            #"{"operations":[{"operationType":"create","zone":{"zoneID":{"zoneName":"\#(name)"}}}]}"#)
    }

    private static func send(
        _ client: CloudKitClient, _ database: Database, _ endpoint: String, _ body: String
    ) throws -> HTTPResponse {
        try client.send("POST", client.path(endpoint, database), body: Array(body.utf8))
    }

    private static func ask(
        _ client: CloudKitClient, _ database: Database, _ endpoint: String, _ body: String
    ) throws -> JSON {
        let response = try send(client, database, endpoint, body)
        let json = try response.json
        guard response.status == 200, json["records"].elements.allSatisfy(\.["serverErrorCode"].isAbsent) else {
            throw Wrk.Failure(description: "\(endpoint): \(response.status) \(response.text)")
        }
        return json
    }

    /// Another person, who saves one record after the other in a database of their own.
    private final class Saver: Sendable {
        private struct State {
            var client: CloudKitClient
            var number = 0
        }

        private let state: Mutex<State>

        init(_ client: sending CloudKitClient) { state = Mutex(State(client: client)) }

        /// Saves while `body` runs.
        func waits(_ body: () throws -> Void) throws -> Waits {
            let isOver = Atomic(false)
            let result = Mutex<Result<[Double], any Error>>(.success([]))
            let done = DispatchSemaphore(value: 0)
            Thread.detachNewThread { [self] in
                let times = Result { try save { isOver.load(ordering: .relaxed) } }
                result.withLock { $0 = times }
                done.signal()
            }
            let outcome = Result { try body() }
            isOver.store(true, ordering: .relaxed)
            done.wait()
            try outcome.get()
            return Waits(try result.withLock { try $0.get() })
        }

        private func save(until isOver: () -> Bool) throws -> [Double] {
            try state.withLock { state in
                var times: [Double] = []
                while !isOver() {
                    state.number += 1
                    let body = BenchRecord.modify(zone: "New", names: ["new\(state.number)"])
                    let start = ContinuousClock.now
                    let response = try state.client.send(
                        "POST", state.client.path("records/modify", .private), body: body)
                    times.append((.now - start) / .milliseconds(1))
                    guard response.status == 200 else { throw Wrk.Failure(description: "save: \(response.text)") }
                }
                return times
            }
        }
    }
}
