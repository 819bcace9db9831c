import NephosTesting
import Synchronization

/// Several servers on one PostgreSQL database, and a user with a zone in it.
final class Fleet: Sendable {
    static let zone = "Shared"

    let postgres: PostgresServer
    let store: String
    let servers: [ServerProcess]
    /// The folder of assets.
    let folder: TemporaryFolder
    let container = "iCloud.test.fleet"
    private let credentials: Credentials

    /// - Parameters:
    ///   - arguments: Additional arguments of the servers.
    ///   - settings: Additional environment of the servers.
    init(_ count: Int, arguments: [String] = [], settings: [String: String] = [:]) throws {
        postgres = try PostgresServer()
        store = try postgres.createDatabase()
        folder = try TemporaryFolder(prefix: "nephos-assets")
        // All at once: the migrations run under a lock.
        let started = Mutex<[ServerProcess]>([])
        let environment = ["NEPHOS_STORE": store, "NEPHOS_ASSETS": folder.path].merging(settings) { $1 }
        try inThreads(count) { _ in
            let server = try ServerProcess(arguments, environment: environment)
            started.withLock { $0.append(server) }
        }
        servers = started.withLock { $0 }
        let command = servers[0].command
        try command("container", "create", container)
        try command("account", "create", "ada@example.org")
        credentials = .person(
            apiToken: try command("token", "create", container),
            webAuthToken: try command("session", "create", container, "ada@example.org"))
        let operation: JSON = [
            "operationType": "create", "zone": ["zoneID": ["zoneName": .string(Fleet.zone)]],
        ]
        let made = try client(0).post("zones/modify", .private, ["operations": [operation]])
        guard made.status == 200 else { throw UnexpectedAnswer(description: "zones/modify: \(made.status)") }
    }

    func client(_ server: Int) -> CloudKitClient { client(server, credentials) }

    func client(_ server: Int, _ credentials: Credentials) -> CloudKitClient {
        CloudKitClient(port: servers[server].port, container: container, credentials: credentials)
    }
}

/// A response that no client of the fleet may receive.
struct UnexpectedAnswer: Error, CustomStringConvertible { var description: String }

/// A client that sends requests to the servers of a fleet in turn, and tries another one if there is no response, or if it must
/// retry.
struct Visitor {
    private let clients: [CloudKitClient]
    private var next: Int

    init(_ fleet: Fleet, from first: Int) {
        clients = fleet.servers.indices.map(fleet.client)
        next = first
    }

    /// - Parameter mayGoOn: Called after each failure, to limit retries.
    /// - Returns: The response; nil if there was none and it may not continue.
    /// - Throws: ``UnexpectedAnswer`` for a response other than 200 or TRY_AGAIN_LATER.
    mutating func ask(_ path: String, _ body: JSON, while mayGoOn: () -> Bool) throws -> JSON? {
        repeat {
            next = (next + 1) % clients.count
            guard let response = try? clients[next].post(path, .private, body) else { continue }
            let json = try response.json
            if response.status == 200 { return json }
            guard response.status == 503, json["serverErrorCode"] == "TRY_AGAIN_LATER" else {
                throw UnexpectedAnswer(description: "\(path) answered \(response.status): \(json)")
            }
        } while mayGoOn()
        return nil
    }
}
