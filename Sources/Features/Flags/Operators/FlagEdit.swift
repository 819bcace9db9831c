import CloudKitWire
import NephosDomain
import NephosStorage

/// What becomes of a field of a flag.
enum FieldEdit: Sendable, Equatable {
    case text(String)
    case time(Milliseconds)
    case number(Int64)
    case texts([String])
    case removed
}

/// One operation on the record of a flag.
struct FlagSave: Sendable {
    enum Kind: Sendable {
        /// Some fields; the others stay.
        case edit([(field: Name, edit: FieldEdit)])
        /// These are all there are, as records store them.
        case fields(Bytes)
        case deletion
    }

    let id: String
    let type: Name
    /// As it was read: a flag that somebody changed since is not overwritten. nil for one that is new.
    let old: RecordRow?
    let kind: Kind

    /// Of one request.
    static let most = 200

    /// What carries out some of them, each by itself.
    static func request(_ saves: some Swift.Sequence<FlagSave>) throws(WireError) -> RecordsModifyRequest {
        var json = JSONWriter()
        json.beginObject()
        json.key("operations")
        json.beginArray()
        for save in saves { save.write(to: &json) }
        json.endArray()
        json.endObject()
        return try RecordsModifyRequest(json: json.bytes[...])
    }

    private var operation: RecordOperation.Kind {
        switch kind {
        case .deletion: .delete
        case .fields where old != nil: .replace
        case .edit where old != nil: .update
        case .edit, .fields: .create
        }
    }

    fileprivate func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("operationType", operation.rawValue)
        json.key("record")
        json.beginObject()
        json.member("recordName", id)
        json.member("recordType", type)
        if let old { json.member("recordChangeTag", ChangeTag.text(of: old.tagSequence)) }
        switch kind {
        case .deletion: break
        case .fields(let fields): json.member("fields", raw: fields)
        case .edit(let edits):
            json.key("fields")
            json.write(edits)
        }
        json.endObject()
        json.endObject()
    }
}

extension JSONWriter {
    /// As the `fields` of a record.
    mutating func write(_ edits: [(field: Name, edit: FieldEdit)]) {
        beginObject()
        for (field, edit) in edits {
            key(named: field)
            write(edit)
        }
        endObject()
    }

    private mutating func write(_ edit: FieldEdit) {
        beginObject()
        switch edit {
        case .removed: break
        case .text(let text):
            member("value", text)
            member("type", "STRING")
        case .time(let time):
            member("value", time)
            member("type", "TIMESTAMP")
        case .number(let number):
            member("value", number)
            member("type", "INT64")
        case .texts(let texts):
            key("value")
            beginArray()
            for text in texts { string(text) }
            endArray()
            member("type", "STRING_LIST")
        }
        endObject()
    }
}
