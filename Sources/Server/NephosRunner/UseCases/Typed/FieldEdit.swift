package import CloudKitWire
package import NephosStorage

/// The new value of a field of a record that an operator edits.
package enum FieldEdit: Sendable, Equatable {
    case text(String)
    case time(Milliseconds)
    case number(Int64)
    case texts([String])
    case file(AssetReceiptDictionary)
    case removed
}

extension JSONWriter {
    /// Writes the `fields` of a record.
    package mutating func write(_ edits: [(field: Name, edit: FieldEdit)]) {
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
        case .file(let receipt):
            key("value")
            receipt.write(to: &self)
            member("type", "ASSETID")
        }
        endObject()
    }
}
