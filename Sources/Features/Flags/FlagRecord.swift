import Audience
import CloudKitWire
import NephosStorage

extension Flag {
    /// Reads a flag from a record.
    init(_ record: RecordRow) throws(FlagFailure) { try self.init(FlagFields(record.name, record.fields)) }
}

extension FlagFields {
    /// Reads the stored fields of a flag.
    ///
    /// - Parameter name: The name of the record.
    init(_ name: Name, _ stored: Bytes) throws(FlagFailure) {
        self.init(id: name.text)
        var wrong: Name?
        CanonicalFields.read(Self.names, in: stored) { place, value in
            guard value.type == .string, let text = value.bytes else {
                wrong = wrong ?? Self.names[place]
                return
            }
            self[keyPath: Self.fields[place].path] = String(decoding: text, as: UTF8.self)
        }
        if let wrong { throw FlagFailure(wrong.text, "it must be a STRING") }
    }

    /// In byte order, as fields are stored.
    private static let fields: [(name: Name, path: any WritableKeyPath<FlagFields, String?> & Sendable)] = [
        ("defaultVariant", \.defaultVariant), ("kind", \.kind), ("offVariant", \.offVariant),
        ("prerequisites", \.prerequisites), ("rules", \.rules), ("salt", \.salt), ("schedule", \.schedule),
        ("state", \.state), ("variants", \.variants),
    ]
    private static let names = fields.map(\.name)
}
