package import CloudKitWire
import NephosDomain
package import NephosStorage

/// One operation on a record on behalf of an operator.
package struct RecordSave: Sendable {
    package enum Kind: Sendable {
        /// Some fields; the others stay.
        case edit([(field: Name, edit: FieldEdit)])
        /// All fields, in the format of stored records.
        case fields(Bytes)
        /// Some fields, in the format of a request; the others stay.
        case patch(Bytes)
        case deletion
    }

    package let name: String
    let type: Name
    let old: RecordRow?
    let kind: Kind
    private let parent: Name?

    /// The maximum per request.
    package static let most = 200

    /// - Parameters:
    ///   - old: The record as read: it is not overwritten if it has changed since. nil for a new record.
    ///   - parent: nil leaves it as it is.
    package init(name: String, type: Name, old: RecordRow?, kind: Kind, parent: Name? = nil) {
        (self.name, self.type, self.old, self.kind, self.parent) = (name, type, old, kind, parent)
    }

    /// The request that carries out some of them, each independently.
    ///
    /// - Parameter zone: nil for the default zone.
    package static func request(
        _ saves: some Swift.Sequence<RecordSave>, zone: String? = nil
    ) throws(WireError) -> RecordsModifyRequest {
        var json = JSONWriter()
        json.beginObject()
        json.key("operations")
        json.beginArray()
        for save in saves { save.write(to: &json) }
        json.endArray()
        if let zone {
            json.key("zoneID")
            json.beginObject()
            json.member("zoneName", zone)
            json.endObject()
        }
        json.endObject()
        return try RecordsModifyRequest(json: json.bytes[...])
    }

    private var operation: RecordOperation.Kind {
        switch kind {
        case .deletion: .delete
        case .fields where old != nil: .replace
        case .edit where old != nil, .patch where old != nil: .update
        case .edit, .fields, .patch: .create
        }
    }

    fileprivate func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("operationType", operation.rawValue)
        json.key("record")
        json.beginObject()
        json.member("recordName", name)
        json.member("recordType", type)
        if let old { json.member("recordChangeTag", ChangeTag.text(of: old.tagSequence)) }
        switch kind {
        case .deletion: break
        case .fields(let fields), .patch(let fields): json.member("fields", raw: fields)
        case .edit(let edits):
            json.key("fields")
            json.write(edits)
        }
        if let parent {
            json.key("parent")
            json.beginObject()
            json.member("recordName", parent)
            json.endObject()
        }
        json.endObject()
        json.endObject()
    }
}
