extension JSONWriter {
    /// Appends the next value of `reader`, without whitespace. Numbers and strings are copied as written.
    mutating func copy(_ reader: inout JSONReader) throws(WireError) {
        switch try reader.kind {
        case .object:
            beginObject()
            try reader.readObject { reader, key throws(WireError) in
                self.key(named: key.name)
                try copy(&reader)
            }
            endObject()
        case .array:
            beginArray()
            try reader.readArray { reader, _ throws(WireError) in try copy(&reader) }
            endArray()
        case .string: string(try reader.readString())
        case .number, .bool, .null: raw(try reader.skipValue())
        }
    }
}
