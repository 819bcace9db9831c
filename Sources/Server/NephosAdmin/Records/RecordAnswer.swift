import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

/// Records as shown by use cases.
struct RecordAnswer {
    private let records: [FoundRecord]
    private let fields: [Name]?

    /// - Parameter fields: Only these; nil for all.
    init(_ records: [FoundRecord], fields: [Name]?) {
        self.records = records
        self.fields = fields
    }

    var desiredKeys: DesiredKeys? { fields.map { DesiredKeys($0) } }

    /// `{"records":[…],"continuationToken":…}`, with the token only if there are more.
    func json(continuationToken: String?) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.key("records")
        json.beginArray()
        for record in records { json.raw(record.json(desiredKeys: desiredKeys)[...]) }
        json.endArray()
        if let continuationToken { json.member("continuationToken", continuationToken) }
        json.endObject()
        return json.bytes + [UInt8(ascii: "\n")]
    }

    /// One line per record: its name, then a column for each field that any of them has.
    var table: UseCaseAnswer {
        let all = Set(records.flatMap { CanonicalFields.names(in: $0.record.row.fields) }).sorted()
        let columns = fields ?? all
        let rows = records.map { found in
            [found.record.row.name.text] + columns.map { cell($0, in: found.record.row.fields) }
        }
        return .table(["recordName"] + columns.map(\.text), rows, whenEmpty: "No record matches.")
    }

    /// A value: texts without quotes, everything else as JSON; `-` if there is none.
    private func cell(_ field: Name, in fields: Bytes) -> String {
        guard let dictionary = CanonicalFields.value(of: field, in: fields) else { return "-" }
        var text = ""
        do {
            var reader = try JSONReader(dictionary)
            try reader.readObject { reader, key throws(WireError) in
                guard case "value" = key else { return }
                if try reader.kind == .string {
                    text = String(decoding: try reader.readString(), as: UTF8.self)
                } else {
                    text = String(decoding: try reader.skipValue(), as: UTF8.self)
                }
            }
        } catch {
            return "?"
        }
        return text.replacing("\n", with: "\\n").replacing("\t", with: "\\t")
    }
}
