import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

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
