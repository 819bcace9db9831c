import Audience
import CloudKit
import CloudKitWire
import FeatureSwitches
import FeatureSwitchesCloudKit
import Foundation
import Testing

/// docs/vectors/audiences.json, evaluated by the kit: flags are read from CloudKit records, contexts are the kit's, and results are
/// those of an app.
@Suite("Golden vectors in the kit") struct VectorTests {
    private let file: [String: FlagValue]
    private let document: [UInt8]
    private let audiences: String

    init() throws {
        let path = URL(filePath: #filePath).appending(path: "../../../docs/vectors/audiences.json").standardized
        let text = String(decoding: try Data(contentsOf: path), as: UTF8.self)
        file = try #require(FlagValue(json: text)?.members)
        document = Array(text.utf8)
        audiences = try #require(file["audiences"]).json
    }

    private func record(_ id: String, _ fields: [String: String]) -> CKRecord {
        let record = CKRecord(recordType: "FeatureFlag", recordID: CKRecord.ID(recordName: id))
        for (key, value) in fields { record[key] = value }
        return record
    }

    private func values(_ records: [CKRecord], _ vector: [String: FlagValue]) throws -> [String: FlagAnswer] {
        let now = Date(timeIntervalSince1970: Double(vector["now"]?.integerValue ?? 0) / 1_000)
        let flags = try LocalFlags(
            records.map { ($0.recordID.recordName, $0.flag) }, audiences: audiences, now: Date(timeIntervalSince1970: 0)
        )
        let proved = vector["proved"]?.members ?? [:]
        let values = try flags.values(for: FlagContext(vector["context"]?.members ?? [:]), now: now) { context in
            context.person = proved["person"]?.stringValue
            context.roles = proved["roles"]?.elements.compactMap(\.stringValue) ?? []
            for (name, value) in proved["facts"]?.members ?? [:] { context.facts[name] = value.scalar }
        }
        return Dictionary(values.answers.map { ($0.id, $0) }) { first, _ in first }
    }

    /// The flags' fields as written: order matters in splits.
    private func flags() throws -> [String: [String: String]] {
        var json = try JSONReader(document[...], limits: JSONLimits(depth: 64))
        var flags: [String: [String: String]] = [:]
        try json.readObject { json, key throws(WireError) in
            guard key.name == "flags" else { return }
            try json.readObject { json, id throws(WireError) in
                var fields: [String: String] = [:]
                try json.readObject { json, field throws(WireError) in
                    let text = json
                    let value = String(decoding: try json.skipValue(), as: UTF8.self)
                    var reader = text
                    fields[field.name.text] = (try FlagValue(&reader)).stringValue ?? value
                }
                flags[id.name.text] = fields
            }
        }
        return flags
    }

    @Test("Evaluations")
    func evaluations() throws {
        let records = try flags().map { record($0, $1) }
        var count = 0
        for vector in file["evaluations"]?.elements.compactMap(\.members) ?? [] {
            let answers = try values(records, vector)
            for expected in vector["expect"]?.elements.compactMap(\.members) ?? [] {
                count += 1
                let id = try #require(expected["flag"]?.stringValue)
                var found: [String: FlagValue] = ["flag": .string(id)]
                switch answers[id]?.value {
                case .success(let value):
                    let answer = try #require(answers[id])
                    found["value"] = value
                    found["variant"] = answer.variant.map { .string($0) }
                    found["reason"] = .string(answer.reason.rawValue)
                    for key in ["rule", "bucket", "prerequisite", "passedOver"] { found[key] = answer.metadata[key] }
                case .failure(let error): found["error"] = .string(error.code)
                case nil: found["error"] = "FLAG_NOT_FOUND"
                }
                #expect(found == expected)
            }
        }
        #expect(count > 20, "\(count)")
    }

    @Test("Conditions")
    func conditions() throws {
        var count = 0
        let needed = record("needed", Self.fields(nil, byDefault: "off"))
        for vector in file["conditions"]?.elements.compactMap(\.members) ?? [] {
            count += 1
            let when = try #require(vector["when"])
            let flag = record("f", Self.fields(#"[{"id":"r","when":\#(when.json),"serve":"on"}]"#, byDefault: "off"))
            let answer = try #require(try values([flag, needed], file)["f"])
            let fits: FlagValue =
                answer.metadata["passedOver"] != nil ? .null : try answer.value.get() == .bool(true) ? true : false
            #expect(fits == vector["fits"], "\(when.json)")
        }
        #expect(count > 30, "\(count)")
    }

    private static func fields(_ rules: String?, byDefault: String) -> [String: String] {
        var fields = [
            "state": "on", "variants": #"{"off":false,"on":true}"#, "offVariant": "off", "defaultVariant": byDefault,
        ]
        fields["rules"] = rules
        return fields
    }
}

extension FlagValue {
    var members: [String: FlagValue]? { if case .object(let members) = self { members } else { nil } }
    var elements: [FlagValue] { if case .list(let elements) = self { elements } else { [] } }
    var scalar: Scalar? {
        switch self {
        case .bool(let value): .bool(value)
        case .string(let value): .string(value)
        default: doubleValue.map { .number($0) }
        }
    }
}

extension FlagContext {
    /// A context as written in a vector.
    init(_ members: [String: FlagValue]) {
        self.init()
        claims = members
    }
}
