import CloudKitWire
import Crypto
import NephosAdmin
import NephosDomain
import NephosRunner
import NephosSettings
import NephosStorage
import NephosTesting
import RequestTesting
import TestEngines
import Testing

@testable import NephosContent

/// A ``SmallCloud`` with a type of content: users with the role Admin create it, and everybody reads it.
final class ContentCloud {
    let cloud: SmallCloud
    /// With the engine that the run tests.
    private let stored: TestStore
    /// With the features of the program.
    let administration: Administration
    let key = P256.Signing.PrivateKey()
    private(set) var keyID = ""

    static let schema = SmallCloud.schema.replacing(
        "RECORD TYPE Note",
        with: """
            RECORD TYPE Chibi (
                "___recordID" REFERENCE QUERYABLE,
                title STRING QUERYABLE SORTABLE,
                publishedAt TIMESTAMP QUERYABLE SORTABLE,
                until TIMESTAMP QUERYABLE,
                access LIST<STRING>,
                weight INT64,
                every STRING,
                audience STRING,
                collection STRING,
                drawing STRING,
                thumbnail ASSET,
                near REFERENCE,
                GRANT READ, WRITE, CREATE TO Admin,
                GRANT READ TO "_world"
            );
            RECORD TYPE Note
            """)

    static let settings =
        #"{"Chibi":{"publishedAt":"publishedAt","until":"until","access":"access","weight":"weight","preview":"thumbnail"}}"#

    /// - Parameter settings: Without them, no type is content.
    init(settings: String? = settings) async throws {
        let features = [Feature.settings, .content]
        stored = try TestStore.withTables(nil, SmallCloud.tables(with: features))
        cloud = try await SmallCloud(
            features: features, on: OtherEngine { [stored] in try stored.open(tables: $0) })
        administration = Administration(engine: cloud.engine, inputs: cloud.inputs.ofOperator, features: features)
        _ = try await administration.importSchema(Array(Self.schema.utf8), into: SmallCloud.tenant)
        // Grace creates content.
        _ = try await administration.assignRole(
            "Admin", to: "grace@example.org", in: SmallCloud.container, [.development])
        if let settings { try await set(settings) }
    }

    /// Adds a role of the container without grants, which Ada holds.
    func addTesters() async throws {
        let schema = Self.schema.replacing("CREATE ROLE Admin;", with: "CREATE ROLE Admin; CREATE ROLE Testers;")
        _ = try await administration.importSchema(Array(schema.utf8), into: SmallCloud.tenant)
        _ = try await administration.assignRole(
            "Testers", to: "ada@example.org", in: SmallCloud.container, [.development])
    }

    var now: Milliseconds {
        get { cloud.inputs.now }
        set { cloud.inputs.now = newValue }
    }

    var store: any TenantStore {
        get throws { try #require(try cloud.engine.open(SmallCloud.tenant)) }
    }

    func set(_ document: String) async throws { try await set(section: Content.name, document) }

    func set(section: String, _ document: String) async throws {
        let catalog = try store.read(ReadSet()).catalog
        let documents: [String: Bytes?] = [section: Array(document.utf8)[...]]
        let change = try ChangeSections(documents, of: catalog.knownSections, by: "ada", now: now)
        _ = try await administration.changing(documents, from: catalog, of: store, progress: { _ in }) {
            version throws(AdminError) in
            try await administration.commit(
                to: try cloud.administration.store(SmallCloud.tenant), at: version, change.reading, change.decide)
        }
    }

    // MARK: Entry points

    func database(
        _ path: String, _ body: String, as caller: SmallCloud.Caller, facts: String? = nil
    ) throws -> RawResponse {
        try cloud.ask(
            "POST", "/database/1/\(SmallCloud.container)/development/public/\(path)", body,
            headers: facts.map { [("X-Nephos-Facts", $0)] } ?? [], as: caller)
    }

    /// Saves as Grace; returns the reason of a rejection, or "".
    @discardableResult
    func save(_ name: String, _ fields: String, as caller: SmallCloud.Caller = .friend) throws -> String {
        let operation =
            #"{"operationType":"forceUpdate","record":{"recordType":"Chibi","recordName":"\#(name)","fields":{\#(fields)}}}"#
        let answer = try JSON(
            reading: database("records/modify", #"{"operations":[\#(operation)]}"#, as: caller).body)
        return answer["records"][0]["reason"].string ?? answer["reason"].string ?? ""
    }

    /// The response to an operation, without the name that replaces `N` in it.
    func answer(_ operation: String, of name: String, as caller: SmallCloud.Caller) throws -> String {
        let body = #"{"operations":[\#(operation.replacing("N\"", with: "\(name)\""))]}"#
        let answer = try database("records/modify", body, as: caller)
        let record = try JSON(reading: answer.body)["records"][0]
        return ["serverErrorCode", "reason"].map { record[$0].string ?? "" }.joined(separator: " ")
            .replacing("'\(name)'", with: "N") + (record["deleted"] == true ? " deleted" : "")
    }

    static func published(at time: Milliseconds?, until: Milliseconds? = nil, access: [String] = []) -> String {
        var fields = [#""title":{"value":"A chibi"}"#]
        if let time { fields.append(#""publishedAt":{"value":\#(time),"type":"TIMESTAMP"}"#) }
        if let until { fields.append(#""until":{"value":\#(until),"type":"TIMESTAMP"}"#) }
        let words = access.map { "\"\($0)\"" }.joined(separator: ",")
        if !access.isEmpty { fields.append(#""access":{"value":[\#(words)]}"#) }
        return fields.joined(separator: ",")
    }

    /// Names found by a query.
    func query(as caller: SmallCloud.Caller, facts: String? = nil) throws -> [String] {
        let answer = try database(
            "records/query", #"{"query":{"recordType":"Chibi"}}"#, as: caller, facts: facts)
        #expect(answer.status == 200, "\(answer.text)")
        return try JSON(reading: answer.body)["records"].elements.compactMap { $0["recordName"].string }.sorted()
    }

    /// "" if a look-up finds it, else the error code.
    func lookUp(_ name: String, as caller: SmallCloud.Caller, facts: String? = nil) throws -> String {
        let answer = try database(
            "records/lookup", #"{"records":[{"recordName":"\#(name)"}]}"#, as: caller, facts: facts)
        let record = try JSON(reading: answer.body)["records"][0]
        return record["serverErrorCode"].string ?? ""
    }

    /// Status and body of a response about files, for a URL from the server.
    func file(_ method: String, _ url: String, _ body: [UInt8] = []) throws -> (status: Int, body: [UInt8]) {
        let start = try #require(url.firstRange(of: "/asset/"))
        let request = cloud.request(method, String(url[start.lowerBound...]), body: body, as: .stranger)
        let exchange = cloud.begin(request) { _, _ in }
        let head = try exchange.head()
        var bytes = head.body
        while let piece = try exchange.piece() { bytes += piece }
        return (head.status, bytes)
    }

    /// The value of a record's thumbnail field, after an upload for it.
    func upload(for name: String) throws -> String {
        let tokens = #"{"tokens":[{"recordName":"\#(name)","recordType":"Chibi","fieldName":"thumbnail"}]}"#
        let offer = try JSON(reading: database("assets/upload", tokens, as: .friend).body)
        let url = try #require(offer["tokens"][0]["url"].string, "\(offer)")
        let sent = try file("POST", url, Array("a picture".utf8))
        #expect(sent.status == 200)
        let start = try #require(String(decoding: sent.body, as: UTF8.self).firstRange(of: ":"))
        let text = String(decoding: sent.body, as: UTF8.self)
        return #""thumbnail":{"value":\#(text[start.upperBound...].dropLast())}"#
    }

    func publish(_ body: String, as caller: SmallCloud.Caller, type: String = "Chibi") throws -> RawResponse {
        try cloud.ask(
            "POST", "/nephos/1/\(SmallCloud.container)/development/content/\(type)/publish", body, as: caller)
    }

    /// A token with facts about Ada, valid for an hour.
    func proof(
        _ facts: String, for container: String = "\(SmallCloud.container)/development"
    ) async throws -> String {
        if keyID.isEmpty {
            keyID = try await administration.registerServerKey(
                in: SmallCloud.tenant, publicKeyPEM: key.publicKey.pemRepresentation)
        }
        let person = try JSON(reading: database("users/caller", "", as: .person).body)["userRecordName"].string ?? ""
        let claims =
            #"{"aud":"\#(container)","sub":"\#(person)","facts":\#(facts),"exp":\#(now / 1_000 + 3_600)}"#
        let text = [#"{"alg":"ES256","kid":"\#(keyID)"}"#, claims].map { Base64.text(Array($0.utf8), .urlSafe) }
            .joined(separator: ".")
        let signature = try key.signature(for: Array(text.utf8))
        return text + "." + Base64.text(Array(signature.rawRepresentation), .urlSafe)
    }
}
