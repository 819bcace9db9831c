import CloudKitWire
import NephosAdmin
import NephosDomain
import NephosEndpoints
import NephosFlags
import NephosRunner
import NephosSQLite
import NephosSettings
import NephosStorage
import NephosTesting
import RequestTesting
import Testing

/// A ``SmallCloud`` whose server has flags, with a type for them.
struct FlagCloud {
    let cloud: SmallCloud
    let store: any TenantStore

    /// - Parameters:
    ///   - isPrepared: Whether there are a type and settings for flags.
    ///   - publicURL: Where clients reach the server; nil if not configured.
    init(
        isPrepared: Bool = true, audiences: String = #"{"spanish":{"locale":"es"}}"#, publicURL: String? = nil,
        meter: QueryMeter = QueryMeter()
    ) async throws {
        cloud = try await SmallCloud(features: [.settings, .flags], publicURL: publicURL, meter: meter)
        guard isPrepared else {
            store = try #require(try cloud.engine.open(SmallCloud.tenant))
            return
        }
        let schema = SmallCloud.schema.replacing("RECORD TYPE Note", with: Self.type + "RECORD TYPE Note")
        _ = try await cloud.administration.importSchema(Array(schema.utf8), into: SmallCloud.tenant)
        store = try #require(try cloud.engine.open(SmallCloud.tenant))
        try await set(["flags": #"{"type":"FeatureFlag"}"#, "audiences": audiences])
    }

    static let type = """
        RECORD TYPE FeatureFlag (
            "___recordID" REFERENCE QUERYABLE,
            displayName STRING, state STRING, kind STRING, variants STRING, offVariant STRING, defaultVariant STRING,
            rules STRING, prerequisites STRING, schedule STRING, salt STRING,
            GRANT WRITE TO "_creator",
            GRANT CREATE TO "_icloud",
            GRANT READ TO "_world"
        );

        """

    func set(_ documents: [String: String]) async throws {
        let known = try store.read(ReadSet()).catalog.knownSections
        let change = try ChangeSections(
            documents.mapValues { Array($0.utf8)[...] }, of: known, by: "ada", now: cloud.inputs.now)
        _ = try await store.commit(change.reading, decide: change.decide)
    }

    /// Saves records with text fields; returns the reason of a rejection, or "".
    func save(
        _ flags: [(id: String, fields: [String: String])], of type: String = "FeatureFlag",
        as caller: SmallCloud.Caller = .person
    ) throws -> [String] {
        try stride(from: 0, to: flags.count, by: 200).flatMap { start in
            let operations = flags[start..<min(start + 200, flags.count)].map { id, fields in
                var json = JSONWriter()
                json.beginObject()
                json.member("operationType", "forceUpdate")
                json.key("record")
                json.beginObject()
                json.member("recordName", id)
                json.member("recordType", type)
                json.key("fields")
                json.beginObject()
                for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
                    json.key(named: Name(name))
                    json.beginObject()
                    json.member("value", value)
                    json.endObject()
                }
                json.endObject()
                json.endObject()
                json.endObject()
                return String(decoding: json.bytes, as: UTF8.self)
            }
            let target = "/database/1/\(SmallCloud.container)/development/public/records/modify"
            let body = #"{"atomic":false,"operations":[\#(operations.joined(separator: ","))]}"#
            let answer = try ask("POST", target, body, as: caller)
            return try JSON(reading: answer.body)["records"].elements.map { $0["reason"].string ?? "" }
        }
    }

    static func boolean(_ id: String, state: String = "on", _ more: [String: String] = [:]) -> (
        id: String, fields: [String: String]
    ) {
        let fields = [
            "state": state, "variants": #"{"off":false,"on":true}"#, "offVariant": "off", "defaultVariant": "on",
        ]
        return (id, fields.merging(more) { $1 })
    }

    func ask(
        _ method: String, _ target: String, _ body: String, headers: [(String, String)] = [],
        as caller: SmallCloud.Caller = .app
    ) throws -> RawResponse {
        try cloud.ask(method, target, body, headers: headers, as: caller)
    }

    func query(_ body: String) throws -> JSON {
        let target = "/database/1/\(SmallCloud.container)/development/public/records/query"
        return try JSON(reading: ask("POST", target, body).body)
    }

    func evaluate(
        _ key: String? = nil, _ context: String = "{}", headers: [(String, String)] = [],
        as caller: SmallCloud.Caller = .app
    ) throws -> (answer: RawResponse, json: JSON) {
        let path = "/nephos/1/\(SmallCloud.container)/development/flags/ofrep/v1/evaluate/flags"
        let answer = try ask(
            "POST", key.map { "\(path)/\($0)" } ?? path, #"{"context":\#(context)}"#, headers: headers, as: caller)
        return (answer, answer.body.isEmpty ? .absent : try JSON(reading: answer.body))
    }
}
