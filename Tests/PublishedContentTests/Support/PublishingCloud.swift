import CloudKit
import CloudKitWire
import Foundation
import KitTesting
import NephosAdmin
import NephosContent
import NephosDomain
import NephosRunner
import NephosSQLite
import NephosSettings
import NephosStorage
import NephosTesting
import NephosTransport
import PublishedContent
import RequestTesting
import Testing

@testable import NephosKit

/// A server in this process with a type of content, whose time is stopped: holders of the role Admin create it, and the world
/// reads.
struct PublishingCloud {
    let cloud: SmallCloud
    let transport: CloudTransport
    let folder: CacheFolder
    /// The time is the server's.
    let time = TestTime()

    private static let schema = SmallCloud.schema.replacing(
        "RECORD TYPE Note",
        with: """
            RECORD TYPE Chibi (
                "___recordID" REFERENCE QUERYABLE,
                title STRING,
                publishedAt TIMESTAMP QUERYABLE SORTABLE,
                until TIMESTAMP QUERYABLE,
                every STRING,
                access LIST<STRING>,
                weight INT64,
                audience STRING,
                collection STRING,
                thumbnail ASSET,
                drawing ASSET,
                place LOCATION,
                data BYTES,
                GRANT READ, WRITE, CREATE TO Admin,
                GRANT READ TO "_world"
            );
            RECORD TYPE Note
            """)

    private static let settings = #"""
        {"Chibi":{"publishedAt":"publishedAt","until":"until","every":"every","access":"access","audience":"audience",\#
        "weight":"weight","collection":"collection","preview":"thumbnail"}}
        """#

    /// - Parameter isContent: Whether the server treats its records as content; Apple's does not.
    init(isContent: Bool = true) async throws {
        cloud = try await SmallCloud(features: [.settings, .content])
        folder = try CacheFolder()
        transport = CloudTransport(cloud)
        let administration = Administration(
            engine: cloud.engine, inputs: cloud.inputs.ofOperator, features: [.settings, .content])
        _ = try await administration.importSchema(Array(Self.schema.utf8), into: SmallCloud.tenant)
        _ = try await administration.assignRole(
            "Admin", to: "grace@example.org", in: SmallCloud.container, [.development])
        if isContent { try await makeContent(administration) }
        time.now = Date(timeIntervalSince1970: Double(SmallCloud.now) / 1_000)
    }

    var now: Int64 { cloud.inputs.now }

    func advance(_ seconds: Double) async {
        cloud.inputs.now += Int64(seconds * 1_000)
        time.advance(seconds)
        await cloud.runDueJobs()
    }

    // MARK: Clients

    enum Person { case nobody, ada, grace }

    func source(_ person: Person = .nobody) -> HTTPContentSource {
        var credentials = HTTPContentSource.Credentials(token: cloud.apiToken)
        if let session = session(person) { credentials.webAuthToken = { session } }
        return HTTPContentSource(
            server: Self.url, container: SmallCloud.container, environment: "development", credentials: credentials,
            transport: transport)
    }

    /// The app's container, as a program on Linux accesses it.
    func container(_ person: Person = .nobody) throws -> CKContainer {
        let configuration = NephosConfiguration(
            serverURL: Self.url, environment: .development, apiToken: cloud.apiToken, webAuthToken: session(person),
            cacheFolder: URL(fileURLWithPath: folder.folder.path).appending(path: "cloudkit"))
        let service = Service(
            container: SmallCloud.container, configuration: .success(configuration), transport: transport)
        return CKContainer(ContainerCore(service), OperationDefaults())
    }

    func content(
        _ person: Person = .nobody, maxBytes: Int64 = 1 << 20, mode: PublishedContent.Mode = .app
    ) -> PublishedContent {
        PublishedContent(
            .chibi, source(person), folder.cache(maxBytes, time), ContentAudience(), mode, clock: time.clock)
    }

    private static let url = URL(string: "http://cloud.example.org") ?? URL(filePath: "/")

    private func session(_ person: Person) -> String? {
        switch person {
        case .nobody: nil
        case .ada: cloud.webAuthToken
        case .grace: cloud.friendsToken
        }
    }

    // MARK: Records

    /// Saves a record as Grace, and has the server sort it.
    func save(_ name: String, start: Double? = -60, _ more: [String] = [], files: [String: [UInt8]] = [:]) async throws
    {
        var fields = [#""title":{"value":"A chibi"}"#] + more
        if let start { fields.append(#""publishedAt":{"value":\#(now + Int64(start * 1_000)),"type":"TIMESTAMP"}"#) }
        for (field, bytes) in files { fields.append(try upload(bytes, for: name, field)) }
        let operation =
            #"{"operationType":"forceUpdate","record":{"recordType":"Chibi","recordName":"\#(name)","fields":{\#(fields.joined(separator: ","))}}}"#
        let answer = try cloud.ask(
            "POST", path("records/modify"), #"{"operations":[\#(operation)]}"#, as: .friend)
        try #require(answer.status == 200 && !answer.text.contains("serverErrorCode"), "\(answer.text)")
        await advance(1)
    }

    /// Saves this many records as Grace, 200 with each request, and has the server sort them.
    ///
    /// - Parameter fields: The fields of a record, by its number.
    func save(count: Int, _ fields: (Int) throws -> [String]) async throws {
        for start in stride(from: 0, to: count, by: 200) {
            let operations = try (start..<min(start + 200, count)).map { number in
                #"{"operationType":"create","record":{"recordType":"Chibi","recordName":"i\#(number)","fields":{\#(try fields(number).joined(separator: ","))}}}"#
            }
            let answer = try cloud.ask(
                "POST", path("records/modify"), #"{"operations":[\#(operations.joined(separator: ","))]}"#, as: .friend)
            try #require(answer.status == 200 && !answer.text.contains("serverErrorCode"), "\(answer.text)")
            await advance(1)
        }
    }

    func delete(_ name: String) async throws {
        let operation = #"{"operationType":"forceDelete","record":{"recordName":"\#(name)"}}"#
        _ = try cloud.ask("POST", path("records/modify"), #"{"operations":[\#(operation)]}"#, as: .friend)
        await advance(1)
    }

    private func path(_ endpoint: String) -> String {
        "/database/1/\(SmallCloud.container)/development/public/\(endpoint)"
    }

    /// A field with a file, after an upload for it.
    func upload(_ bytes: [UInt8], for name: String, _ field: String) throws -> String {
        let tokens = #"{"tokens":[{"recordName":"\#(name)","recordType":"Chibi","fieldName":"\#(field)"}]}"#
        let offer = try JSON(reading: cloud.ask("POST", path("assets/upload"), tokens, as: .friend).body)
        let url = try #require(offer["tokens"][0]["url"].string, "\(offer)")
        let start = try #require(url.firstRange(of: "/asset/"))
        let request = cloud.request("POST", String(url[start.lowerBound...]), body: bytes, as: .stranger)
        let sent = try cloud.begin(request) { _, _ in }.head()
        let text = String(decoding: sent.body, as: UTF8.self)
        let value = try #require(text.firstRange(of: ":"), "\(sent.status) \(text)")
        return #""\#(field)":{"value":\#(text[value.upperBound...].dropLast())}"#
    }

    private func makeContent(_ administration: Administration) async throws {
        let store = try #require(try cloud.engine.open(SmallCloud.tenant))
        let catalog = try store.read(ReadSet()).catalog
        let documents: [String: Bytes?] = ["content": Array(Self.settings.utf8)[...]]
        let change = try ChangeSections(documents, of: catalog.knownSections, by: "ada", now: now)
        _ = try await administration.changing(documents, from: catalog, of: store, progress: { _ in }) {
            version throws(AdminError) in
            try await administration.commit(
                to: try cloud.administration.store(SmallCloud.tenant), at: version, change.reading, change.decide)
        }
    }
}
