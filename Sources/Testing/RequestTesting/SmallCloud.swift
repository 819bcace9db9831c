import CloudKitWire
import Foundation
import Logging
import NephosAdmin
package import NephosAssets
package import NephosBackend
import NephosDelivery
import NephosDomain
package import NephosEndpoints
package import NephosRunner
import NephosSQLite
package import NephosStorage
package import NephosTesting

/// Opens an engine with the tables of features.
package struct OtherEngine {
    let open: (TableSet) throws -> any StorageEngine

    package init(_ open: @escaping (TableSet) throws -> any StorageEngine) { self.open = open }
}

/// A server in this process without sockets: an engine, one container in development with a schema, some records, two users, an app
/// and a key, and the responders as configured by `nephos serve`.
///
/// The time stands still and randomness is seeded, so that everything is reproducible.
package final class SmallCloud: Sendable {
    package static let container = "iCloud.org.nephos.small"
    package static let tenant = Tenant(container: container, environment: .development)
    /// The initial time: 2026-01-01.
    package static let now: Milliseconds = 1_767_225_600_000

    package let engine: any StorageEngine
    package let inputs: SetInputs
    package let administration: Administration
    package let apiToken: String
    package let webAuthToken: String
    /// The token of ``Caller/friend``.
    package let friendsToken: String
    package let signer: RequestSigner
    package let backend: Backend
    /// The store of assets.
    package let files: any AssetStore
    private let folder: TemporaryFolder
    /// The data folder.
    package var data: String { folder.path + "/data" }
    let threads = QueueThreads()
    package var responder: any Responder { backend.responder }

    /// - Parameters:
    ///   - seed: For all random values of the setup.
    ///   - meter: Records the cost of reads.
    ///   - other: An engine other than one of a folder.
    ///   - committed: Called with the content of commits.
    ///   - features: The server's features in addition to delivery, which sends nothing.
    ///   - http: How features send outgoing requests.
    ///   - mail: How features send mails.
    ///   - publicURL: Where clients reach it; nil if not configured.
    ///   - isLocal: Whether only its own machine reaches it.
    package init(
        seed: UInt64 = 1, features: [Feature] = [], http: any OutgoingHTTP = NoOutgoingHTTP(),
        mail: any OutgoingMail = NoOutgoingMail(), publicURL: String? = nil, isLocal: Bool = true,
        meter: QueryMeter = QueryMeter(), on other: OtherEngine? = nil,
        committed: @escaping @Sendable (CommitReport) -> Void = { _ in }
    ) async throws {
        folder = try TemporaryFolder(prefix: "nephos-small")
        var options = SQLiteOptions()
        options.committed = committed
        let features = Self.served(features)
        options.tables = features.tables
        engine = try other?.open(options.tables) ?? SQLiteEngine(directory: folder.path + "/data", options: options)
        inputs = SetInputs(now: Self.now, seed: seed)
        administration = Administration(engine: engine, inputs: inputs.ofOperator)
        try administration.createContainer(Self.container)
        _ = try administration.createAccount(email: "ada@example.org", name: "Ada Lovelace")
        apiToken = try await administration.createAPIToken(in: Self.tenant, name: "fuzz")
        webAuthToken = try await administration.createSession(in: Self.tenant, email: "ada@example.org")
        var pem = ""
        let keyID = try await administration.generateServerKey(in: Self.tenant) { pem = $0 }
        signer = try RequestSigner(keyID: keyID, pem: pem)
        _ = try administration.createAccount(email: "grace@example.org", name: "Grace Hopper")
        friendsToken = try await administration.createSession(in: Self.tenant, email: "grace@example.org")
        files = try DiskAssetStore(folder: folder.path + "/files")
        var configuration = BackendConfiguration()
        (configuration.publicURL, configuration.isLocal) = (publicURL.flatMap { PublicURL($0) }, isLocal)
        backend = try Self.backend(configuration, engine, files, features, http, mail, threads, meter, inputs)
        _ = try await administration.importSchema(Array(Self.schema.utf8), into: Self.tenant)
        try fill()
    }

    /// - Parameter looked: Called with the work of queries.
    package convenience init(looked: @escaping @Sendable (ReadWork) -> Void) async throws {
        try await self.init(meter: QueryMeter(looked: looked))
    }

    deinit {
        engine.close()
    }

    /// With the feature that each has.
    private static func served(_ features: [Feature]) -> [Feature] { [Feature.delivery { _ in NoPost() }] + features }

    /// The tables of the store of one with these features.
    package static func tables(with features: [Feature]) -> TableSet { served(features).tables }

    private static func backend(
        _ configuration: BackendConfiguration, _ engine: any StorageEngine, _ files: any AssetStore,
        _ features: [Feature], _ http: any OutgoingHTTP, _ mail: any OutgoingMail, _ threads: QueueThreads,
        _ meter: QueryMeter, _ inputs: SetInputs
    ) throws -> Backend {
        var settings = FeatureSettings(isLocal: configuration.isLocal)
        settings.publicURL = configuration.publicURL
        return Backend(
            configuration, runner: Runner(engine: engine), files: files, http: http, mail: mail,
            features: try features.prepared(for: settings),
            threads: Backend.Threads(waiting: threads, files: threads, apart: threads),
            meter: meter, logger: Logger(label: "small") { _ in SwiftLogNoOpLogHandler() },
            clock: inputs.clock, randomSource: inputs.randomSource)
    }

    /// Another server with the same files and the same clock, without features.
    ///
    /// - Parameter engine: Another one of the same store.
    package func anotherServer(on engine: any StorageEngine) throws -> Backend {
        try Self.backend(
            BackendConfiguration(), engine, files, Self.served([]), NoOutgoingHTTP(), NoOutgoingMail(), threads,
            QueryMeter(), inputs)
    }

    /// Every type of field, with indexes for queries, and a role.
    package static let schema = """
        DEFINE SCHEMA
            CREATE ROLE Admin;
            RECORD TYPE Note (
                "___recordID" REFERENCE QUERYABLE,
                "___createTime" TIMESTAMP QUERYABLE SORTABLE,
                text STRING QUERYABLE SORTABLE SEARCHABLE,
                count INT64 QUERYABLE SORTABLE,
                ratio DOUBLE QUERYABLE SORTABLE,
                day TIMESTAMP QUERYABLE SORTABLE,
                place LOCATION QUERYABLE SORTABLE,
                data BYTES QUERYABLE,
                next REFERENCE QUERYABLE,
                tags LIST<STRING> QUERYABLE SEARCHABLE,
                numbers LIST<INT64> QUERYABLE,
                file ASSET,
                secret ENCRYPTED STRING,
                GRANT WRITE TO "_creator",
                GRANT CREATE TO "_icloud",
                GRANT READ TO "_world"
            );
        """

    private func fill() throws {
        let notes = (0..<20).map { number in
            """
            {"operationType":"create","record":{"recordName":"n\(number)","recordType":"Note","fields":{\
            "text":{"value":"note number \(number)"},"count":{"value":\(number)},"tags":{"value":["a","t\(number % 3)"]},\
            "place":{"value":{"latitude":\(number),"longitude":13.4}}}}}
            """
        }
        let body = #"{"operations":[\#(notes.joined(separator: ","))]}"#
        let zone = #"{"operations":[{"operationType":"create","zone":{"zoneID":{"zoneName":"Notes"}}}]}"#
        for (scope, endpoint, body) in [
            ("private", "zones/modify", zone), ("private", "records/modify", body), ("public", "records/modify", body),
        ] {
            let target = "/database/1/\(Self.container)/development/\(scope)/\(endpoint)"
            let outcome = responder.outcome(of: request("POST", target, body: Array(body.utf8), as: .person))
            guard case .answer(let answer) = outcome, answer.status == 200 else {
                throw SystemError("fill \(scope): \(outcome)", code: EIO)
            }
        }
    }

    /// The sender of a request.
    package enum Caller: UInt8, CaseIterable, Sendable { case stranger, app, person, key, friend }

    /// A request with the credentials of a caller, unless it has its own.
    package func request(
        _ method: String, _ target: String, headers: [(String, String)] = [], body: [UInt8] = [], as caller: Caller,
        id: RequestID = .next()
    ) -> RawRequest {
        var target = target
        var headers = headers
        let now = inputs.now
        let separator = target.contains("?") ? "&" : "?"
        switch caller {
        case .stranger: break
        case .app: target += "\(separator)ckAPIToken=\(apiToken)"
        case .person, .friend:
            let token = caller == .person ? webAuthToken : friendsToken
            target += "\(separator)ckAPIToken=\(apiToken)&ckWebAuthToken=\(percentEncoded(token))"
        case .key:
            var signer = signer
            signer.date = ISO8601.text(now)
            let signed = (try? signer.headers(target: target, body: body)) ?? []
            let given = Set(headers.map { $0.0.lowercased() })
            headers += signed.filter { !given.contains($0.name.lowercased()) }.map { ($0.name, $0.value) }
        }
        return RawRequest(
            method: RequestMethod(rawValue: method), target: target,
            headers: RequestHeaders(headers.map { (name: $0.0, value: $0.1) }), body: body, id: id, arrivedAt: now)
    }

    /// Creates one more person. - Returns: Their web auth token.
    package func signIn(_ email: String) async throws -> String {
        _ = try administration.createAccount(email: email, name: "Somebody Else")
        return try await administration.createSession(in: Self.tenant, email: email)
    }

    /// Records what has appeared or ended by now; no device is notified.
    package func runDueEvents() async {
        let worker = Worker(backend.runner, on: threads, clock: inputs.clock)
        await Jobs([.dueEvents(worker)], worker: worker).runDue()
    }

    /// Runs background work that is due by now.
    package func runDueJobs() async { await backend.jobs.runDue() }

    /// The findings of `nephos check`.
    ///
    /// - Parameter tenant: That of another container.
    package func check(_ tenant: Tenant = tenant) throws -> [CheckFinding] {
        let store = try engine.open(tenant)
        return try engine.checkDirectory() + (store?.check(progress: { _, _ in }) ?? [])
            + (store.map { try ShareCheck(administration, $0).findings() } ?? [])
    }
}
