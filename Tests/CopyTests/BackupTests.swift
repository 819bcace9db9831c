import Foundation
import NephosTesting
import Synchronization
import Testing

/// docs/operating.md, "Backups"; docs/decisions/0054.
@Suite("Backups beside a server that is written to") struct SQLiteBackupTests {
    private let server: ServerProcess
    private let folder: TemporaryFolder
    private static let containers = ["iCloud.org.example.first", "iCloud.org.example.second"]

    init() throws {
        server = try ServerProcess(store: TestStore(.sqlite))
        folder = try TemporaryFolder(prefix: "nephos-backups")
        try giveToOrdinaryUser(folder.path)
        for container in Self.containers { try server.command("container", "create", container) }
        try server.command("account", "create", "ada@example.org")
    }

    private func clients() throws -> [CloudKitClient] {
        try Self.containers.map { container in
            let (token, session) = (
                try server.command("token", "create", container),
                try server.command("session", "create", container, "ada@example.org")
            )
            return CloudKitClient(
                port: server.port, container: container, credentials: .person(apiToken: token, webAuthToken: session))
        }
    }

    private func start(_ path: String) throws -> ChildProcess {
        try server.command.start(
            ["backup", "create", path], output: folder.path + "/output", errors: folder.path + "/errors")
    }

    private var errors: String {
        (try? readFile(folder.path + "/errors")).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    @Test(
        "Each ends, and has one moment of all containers: of numbers saved alternately in two it has equal ones, or the first is one ahead"
    )
    func oneMoment() throws {
        let writers = try Writers(try clients(), bystanders: try clients())
        defer { writers.stop() }
        var backups: [String] = []
        for number in 0..<3 {
            let (path, before) = ("\(folder.path)/backup\(number)", writers.saved)
            // Some saves between two backups, and during each.
            #expect(Deadline().waits { writers.saved > before + 20 })
            let begun = writers.saved
            let child = try start(path)
            let end = child.wait(atMost: 120)
            if end == nil { child.signal(SIGKILL) }
            #expect(child.wait() == .exited(0), "\(errors)")
            #expect(writers.saved > begun)
            backups.append(path)
        }
        writers.stop()
        #expect(writers.failure == nil)
        var last = 0
        for path in backups {
            try FileManager.default.copyItem(atPath: server.command.data + "/secret.key", toPath: path + "/secret.key")
            try giveToOrdinaryUser(path)
            let copy = try ServerProcess(data: path)
            let numbers = try writers.numbers(on: copy.port)
            #expect(numbers.count == 2 && (0...1).contains(numbers[0] - numbers[1]), "\(numbers)")
            #expect(numbers[0] > last, "the later backup has more")
            last = numbers[0]
            #expect(try copy.command.run(["check"]).status == 0)
            try copy.stop()
        }
        #expect(try server.command.run(["check"]).status == 0)
    }

    @Test("One that is killed leaves the store as it is, and no folder that anything takes for a backup") func kills()
        throws
    {
        let clients = try clients()
        let writers = try Writers(clients, bystanders: try self.clients())
        defer { writers.stop() }
        var interrupted = 0
        // Killed as soon as it exists, while it is filled, and later.
        let files = ["", "/incomplete", "/incomplete/nephos.sqlite", "/incomplete/containers/\(Self.containers[1])"]
        for (number, file) in files.enumerated() {
            let path = "\(folder.path)/killed\(number)"
            let child = try start(path)
            #expect(
                Deadline().waits {
                    child.hasEnded != nil || FileManager.default.fileExists(atPath: path + file)
                })
            child.signal(SIGKILL)
            let end = child.wait()
            #expect(end == .signalled(SIGKILL) || end == .exited(0), "\(errors)")
            guard !FileManager.default.fileExists(atPath: path + "/nephos.sqlite") else {
                // It was complete by then, apart from what cannot be seen from outside.
                try FileManager.default.copyItem(
                    atPath: server.command.data + "/secret.key", toPath: path + "/secret.key")
                try giveToOrdinaryUser(path)
                #expect(try NephosCommand(data: path).run(["check"]).status == 0)
                continue
            }
            let used = try NephosCommand(data: path).run(["account", "list"])
            #expect(used.status == 1 && used.errors.contains("no store"), "\(used)")
            // One that was killed before it wrote anything has left an empty folder, which can be used.
            guard FileManager.default.fileExists(atPath: path + "/incomplete") else { continue }
            interrupted += 1
            let again = try server.command.run(["backup", "create", path])
            #expect(
                again.status == 1 && again.errors.contains("\(path) has a backup that was not completed"), "\(again)")
        }
        #expect(interrupted > 0, "at least one is killed while it is filled")
        let saved = writers.saved
        #expect(Deadline().waits { writers.saved > saved + 20 }, "writers go on")
        writers.stop()
        #expect(writers.failure == nil)
        #expect(try server.command.run(["check"]).status == 0)
        #expect(try server.command.run(["backup", "create", folder.path + "/whole"]).status == 0)
    }
}

/// Threads that save without a pause: one saves the numbers from 1 on in two containers alternately, others save beside it.
private final class Writers: Sendable {
    private struct State {
        var saved = 0
        var failure: String?
        var isStopped = false
        var running = 0
    }

    private let state = Mutex(State())
    private let credentials: [(container: String, credentials: Credentials)]

    init(_ clients: [CloudKitClient], bystanders: [CloudKitClient]) throws {
        credentials = clients.map { ($0.container, $0.credentials) }
        for client in clients { try Self.save("number", 0, client) }
        let port = clients[0].port
        run { [credentials] number in
            for (container, credentials) in credentials {
                try Self.save(
                    "number", number, CloudKitClient(port: port, container: container, credentials: credentials))
            }
            return true
        }
        for bystander in bystanders {
            let (container, credentials) = (bystander.container, bystander.credentials)
            run { number in
                let client = CloudKitClient(port: port, container: container, credentials: credentials)
                for more in 0..<20 { try Self.save("bystander", number * 20 + more, client) }
                return false
            }
        }
    }

    /// - Parameter body: Saves; true counts.
    private func run(_ body: @escaping @Sendable (Int) throws -> Bool) {
        state.withLock { $0.running += 1 }
        Thread.detachNewThread { [self] in
            var number = 1
            while !state.withLock({ $0.isStopped }) {
                do {
                    if try body(number) { state.withLock { $0.saved = number } }
                } catch {
                    state.withLock { $0.failure = "\(error)" }
                    break
                }
                number += 1
            }
            state.withLock { $0.running -= 1 }
        }
    }

    /// The last number that is in both containers.
    var saved: Int { state.withLock { $0.saved } }
    var failure: String? { state.withLock { $0.failure } }

    func stop() {
        state.withLock { $0.isStopped = true }
        _ = Deadline().waits { state.withLock { $0.running == 0 } }
    }

    /// The numbers in both containers of another server.
    func numbers(on port: Int) throws -> [Int] {
        try credentials.map { container, credentials in
            let client = CloudKitClient(port: port, container: container, credentials: credentials)
            let records = try client.post("records/lookup", .private, ["records": [["recordName": "number"]]]).json[
                "records"]
            return records[0]["fields"]["n"]["value"].int64.map(Int.init) ?? -1
        }
    }

    private static func save(_ name: String, _ number: Int, _ client: CloudKitClient) throws {
        let record: JSON = [
            "recordName": .string(name), "recordType": "Count", "fields": ["n": ["value": .int(Int64(number))]],
        ]
        let operations: JSON = ["operations": [["operationType": "forceReplace", "record": record]]]
        let response = try client.post("records/modify", .private, operations)
        guard response.status == 200, try response.json["records"][0]["serverErrorCode"].isAbsent else {
            throw SystemError("save \(name): \(String(decoding: response.body, as: UTF8.self))", code: EIO)
        }
    }
}
