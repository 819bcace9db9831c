import Audience
import CloudKitWire
import NephosStorage

extension Flag {
    /// A flag as a record holds it.
    init(_ record: RecordRow) throws(FlagFailure) {
        var fields = FlagFields(id: record.name.text)
        var wrong: Name?
        CanonicalFields.read(Self.names, in: record.fields) { place, value in
            guard value.type == .string, let text = value.bytes else {
                wrong = wrong ?? Self.names[place]
                return
            }
            fields[keyPath: Self.fields[place].path] = String(decoding: text, as: UTF8.self)
        }
        if let wrong { throw FlagFailure(wrong.text, "it must be a STRING") }
        try self.init(fields)
    }

    /// In byte order, as fields are stored.
    private static let fields: [(name: Name, path: any WritableKeyPath<FlagFields, String?> & Sendable)] = [
        ("defaultVariant", \.defaultVariant), ("kind", \.kind), ("offVariant", \.offVariant),
        ("prerequisites", \.prerequisites), ("rules", \.rules), ("salt", \.salt), ("schedule", \.schedule),
        ("state", \.state), ("variants", \.variants),
    ]
    private static let names = fields.map(\.name)
}
