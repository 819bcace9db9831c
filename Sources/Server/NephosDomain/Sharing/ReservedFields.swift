import CloudKitWire
import NephosStorage

/// Fields of stored records that only the server reads and writes. Their names begin with three underscores, which no field of a schema
/// does; responses do not contain them.
enum ReservedFields {
    /// Of a share record: who may see the share (``ShareList``).
    static let list: Name = "___participants"
    /// Of a shared record: the name of its share record.
    static let share: Name = "___share"

    private static let all = [list, share]

    /// Only these of the fields.
    static func only(in fields: Bytes) -> Bytes {
        var writer = JSONWriter()
        writer.beginObject()
        for name in all {
            guard let value = CanonicalFields.value(of: name, in: fields) else { continue }
            writer.key(named: name)
            writer.raw(value)
        }
        writer.endObject()
        return writer.bytes[...]
    }

    /// The fields without these.
    static func removed(from fields: Bytes) -> Bytes {
        CanonicalFields.merge(stored: fields, patch: FieldsPatch(removed: all))
    }

    /// The fields with another text in one of these; nil removes it.
    static func set(_ text: String?, _ name: Name, in fields: Bytes) -> Bytes {
        guard let text else { return CanonicalFields.merge(stored: fields, patch: FieldsPatch(removed: [name])) }
        var writer = JSONWriter()
        writer.beginObject()
        writer.key(named: name)
        writer.beginObject()
        writer.member("type", "STRING")
        writer.member("value", text)
        writer.endObject()
        writer.endObject()
        return CanonicalFields.merge(stored: fields, patch: FieldsPatch(set: writer.bytes[...]))
    }

    static func text(_ name: Name, in fields: Bytes) -> String? {
        var text: String?
        CanonicalFields.read([name], in: fields) { _, value in
            text = value.bytes.map { String(decoding: $0, as: UTF8.self) }
        }
        return text
    }
}

extension Name {
    /// Whether it is a name of ``ReservedFields``.
    var isReserved: Bool { bytes.prefix(3).elementsEqual("___".utf8) }
}
