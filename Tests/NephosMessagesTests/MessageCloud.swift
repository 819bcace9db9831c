import CloudKitSchema
import CloudKitWire
import NephosAdmin
import NephosConstraints
import NephosDomain
import NephosNetwork
import NephosRunner
import NephosSettings
import NephosStorage
import NephosTesting
import RequestTesting
import TestEngines
import Testing

@testable import NephosMessages

/// A ``SmallCloud`` with messages: users with the role Admin edit them, and everybody reads published ones.
final class MessageCloud {
    let cloud: SmallCloud
    /// With the features.
    let administration: Administration
    /// With the engine that the run tests.
    let stored: TestStore

    private static func settings(kinds: String, more: String) -> [String: String] {
        [
            "messages":
                #"{"type":"Message","kinds":\#(kinds),"languages":["en","es"],"slots":["main","side"]\#(more)}"#,
            "constraints":
                #"{"Message":[{"rule":"noOverlap","start":"publishedAt","end":"until","group":["slot","audience"],"drafts":true}]}"#,
            "audiences": #"{"mexico":{"locale":"es-MX"},"new":{"app":">=2"}}"#,
        ]
    }

    /// - Parameters:
    ///   - more: Additional settings, after a comma.
    ///   - others: Features in addition to those that messages need.
    init(
        kinds: String = #"["information","website","newVersion","email","purchase"]"#, more: String = "",
        with others: [Feature] = []
    ) async throws {
        let features = [Feature.settings, .constraints, .messages] + others
        stored = try TestStore.withTables(nil, SmallCloud.tables(with: features))
        cloud = try await SmallCloud(
            features: features, on: OtherEngine { [stored] in try stored.open(tables: $0) })
        administration = Administration(engine: cloud.engine, inputs: cloud.inputs.ofOperator, features: features)
        let store = try #require(try cloud.engine.open(SmallCloud.tenant))
        for (name, type) in [("Message", .messages), ("Communs", .template("Communs", role: MessageSetup.role))]
            as [(Name, Schema.RecordType)]
        {
            _ = try await MessageSetup.make(name, administration, store) { type }
        }
        // Grace edits.
        _ = try await administration.assignRole(
            "Admin", to: "grace@example.org", in: SmallCloud.container, [.development])
        let catalog = try store.read(ReadSet()).catalog
        let change = try ChangeSections(
            Self.settings(kinds: kinds, more: more).mapValues { Array($0.utf8)[...] }, of: catalog.knownSections,
            by: "ada",
            now: now)
        _ = try await store.commit(change.reading, decide: change.decide)
    }

    var now: Milliseconds {
        get { cloud.inputs.now }
        set { cloud.inputs.now = newValue }
    }

    /// The complete fields of a message of a kind, as JSON.
    static func complete(_ kind: MessageKind = .information, _ more: [String: String] = [:]) -> [String: String] {
        let texts = { (word: String) in #"{"en":"\#(word)","es":"\#(word) (es)"}"# }
        let buttons = kind.roles.map { "\"\($0.rawValue)\":\(texts($0.rawValue))" }.joined(separator: ",")
        var fields = [
            "kind": kind.rawValue, "title": texts("title"), "body": texts("body"), "buttons": "{\(buttons)}",
            "slot": "main", "audience": "everybody",
        ]
        switch kind {
        case .information: break
        case .website: fields["url"] = "https://example.org/new"
        case .newVersion: fields["requires"] = "2.5"
        case .email: (fields["mailTo"], fields["mailSubject"]) = ("ada@example.org", texts("subject"))
        case .purchase: fields["product"] = "pro"
        }
        return fields.merging(more) { $1 }
    }

    /// Saves as Grace; returns the reason of a rejection, or "".
    @discardableResult
    func save(
        _ id: String, _ fields: [String: String], at start: Milliseconds? = nil, until end: Milliseconds? = nil,
        priority: Int? = nil, as caller: SmallCloud.Caller = .friend
    ) throws -> String {
        var json = JSONWriter()
        json.beginObject()
        for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
            json.key(named: Name(name))
            json.beginObject()
            json.member("value", value)
            json.endObject()
        }
        for (name, value) in [("publishedAt", start), ("until", end)] {
            guard let value else { continue }
            json.key(named: Name(name))
            json.raw(Array(#"{"value":\#(value),"type":"TIMESTAMP"}"#.utf8)[...])
        }
        if let priority {
            json.key(named: "priority")
            json.raw(Array(#"{"value":\#(priority)}"#.utf8)[...])
        }
        json.endObject()
        let record =
            #"{"recordType":"Message","recordName":"\#(id)","fields":\#(String(decoding: json.bytes, as: UTF8.self))}"#
        let answer = try JSON(
            reading: database(
                "records/modify", #"{"operations":[{"operationType":"forceReplace","record":\#(record)}]}"#, as: caller
            ).body)
        return answer["records"][0]["reason"].string ?? answer["reason"].string ?? ""
    }

    /// Publishes a message without an end, as the administrator, whose access does not expire after a month.
    func publish(_ id: String, at start: Milliseconds) async throws {
        let save = RecordSave(
            name: id, type: "Message", old: try record(id),
            kind: .edit([(MessageField.publishedAt, .time(start)), (MessageField.until, .removed)]))
        try await administration.carryOutTogether([save], in: SmallCloud.tenant)
    }

    /// As the administrator.
    func delete(_ id: String) async throws {
        let save = RecordSave(name: id, type: "Message", old: try record(id), kind: .deletion)
        try await administration.carryOutTogether([save], in: SmallCloud.tenant)
    }

    /// Changes a section of the settings as an import does. - Parameter document: nil for none.
    func set(_ section: String, _ document: String?) async throws {
        let documents = [section: document.map { Array($0.utf8)[...] }]
        let store = try store
        let catalog = try store.read(ReadSet()).catalog
        let change = try ChangeSections(documents, of: catalog.knownSections, by: "ada", now: now)
        _ = try await administration.changing(documents, from: catalog, of: store, progress: { _ in }) {
            version throws(AdminError) in
            try await administration.commit(to: store, at: version, change.reading, change.decide)
        }
    }

    /// A web auth token, encoded for a URL.
    func session(for email: String) async throws -> String {
        percentEncoded(try await administration.createSession(in: SmallCloud.tenant, email: email))
    }

    /// The same with a picture.
    func save(
        _ id: String, _ fields: [String: String], picture: Bool, decorative: Bool = false, published: Bool = true
    ) throws -> String {
        var members = fields.sorted { $0.key < $1.key }.map { name, value in
            var json = JSONWriter()
            json.beginObject()
            json.member("value", value)
            json.endObject()
            return "\"\(name)\":\(String(decoding: json.bytes, as: UTF8.self))"
        }
        if published { members.append(#""publishedAt":{"value":\#(now),"type":"TIMESTAMP"}"#) }
        if decorative { members.append(#""decorative":{"value":1}"#) }
        if picture { members.append(#""image":{"value":\#(try upload(for: id))}"#) }
        let record = #"{"recordType":"Message","recordName":"\#(id)","fields":{\#(members.joined(separator: ","))}}"#
        let answer = try database(
            "records/modify", #"{"operations":[{"operationType":"forceReplace","record":\#(record)}]}"#, as: .friend)
        return try JSON(reading: answer.body)["records"][0]["reason"].string ?? ""
    }

    /// A file's dictionary for a field.
    private func upload(for id: String) throws -> String {
        let tokens = #"{"tokens":[{"recordName":"\#(id)","recordType":"Message","fieldName":"image"}]}"#
        let offer = try JSON(reading: database("assets/upload", tokens, as: .friend).body)
        let url = try #require(offer["tokens"][0]["url"].string, "\(offer)")
        let text = String(decoding: try file("POST", url, Array("a pigeon".utf8)), as: UTF8.self)
        return String(text[try #require(text.firstRange(of: ":")).upperBound...].dropLast())
    }

    /// The response for the URL of a file.
    func file(_ method: String, _ url: String, _ body: [UInt8] = []) throws -> [UInt8] {
        let start = try #require(url.firstRange(of: "/asset/"))
        let exchange = cloud.begin(
            cloud.request(method, String(url[start.lowerBound...]), body: body, as: .stranger)
        ) { _, _ in }
        let head = try exchange.head()
        #expect(head.status == 200)
        var bytes = head.body
        while let piece = try exchange.piece() { bytes += piece }
        return bytes
    }

    func database(_ path: String, _ body: String, as caller: SmallCloud.Caller) throws -> RawResponse {
        try cloud.ask("POST", "/database/1/\(SmallCloud.container)/development/public/\(path)", body, as: caller)
    }

    func ask(
        _ query: String = "", headers: [(String, String)] = [], as caller: SmallCloud.Caller = .app
    ) throws -> RawResponse {
        let path = "/nephos/1/\(SmallCloud.container)/development/messages/current"
        return try cloud.ask("GET", "\(path)?\(query)", "", headers: headers, as: caller)
    }

    /// Reports that a user was shown a message.
    func see(
        _ body: String, as caller: SmallCloud.Caller = .app, from network: ClientNetwork? = nil
    ) throws -> RawResponse {
        var request = cloud.request(
            "POST", "/nephos/1/\(SmallCloud.container)/development/messages/seen", body: Array(body.utf8), as: caller)
        request.network = network
        return try cloud.answer(to: request)
    }

    /// The rows of users and devices that have seen a message.
    func rows(of message: Name) throws -> [SeenRow] {
        try store.rows(SeenRow.page(of: message, after: [], limit: 1_000))
    }

    /// The message in the response.
    func current(_ query: String = "", as caller: SmallCloud.Caller = .app) throws -> JSON {
        let answer = try ask(query, as: caller)
        #expect(answer.status == 200, "\(answer.text)")
        return try JSON(reading: answer.body)["message"]
    }
}
