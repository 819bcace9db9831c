/// A document that is read and written again reads the same, and skipping a document accepts everything that reading accepts.
func fuzzJSON(_ bytes: ArraySlice<UInt8>) {
    guard let copy = try? rewritten(bytes) else { return }
    require((try? skipped(bytes)) != nil, "a document can be read but not skipped")
    require((try? rewritten(copy[...])) == copy, "a written document reads differently")
}

private func skipped(_ bytes: ArraySlice<UInt8>) throws(WireError) {
    var reader = try JSONReader(bytes)
    try reader.skipValue()
    try reader.finish()
}

/// The same document without insignificant characters.
func rewritten(_ bytes: ArraySlice<UInt8>) throws(WireError) -> [UInt8] {
    var reader = try JSONReader(bytes)
    var writer = JSONWriter()
    try copyValue(&reader, to: &writer)
    try reader.finish()
    return writer.bytes
}

private func copyValue(_ reader: inout JSONReader, to writer: inout JSONWriter) throws(WireError) {
    switch try reader.kind {
    case .object:
        writer.beginObject()
        try reader.readObject { reader, key throws(WireError) in
            writer.key(named: key.name)
            try copyValue(&reader, to: &writer)
        }
        writer.endObject()
    case .array:
        writer.beginArray()
        try reader.readArray { reader, _ throws(WireError) in try copyValue(&reader, to: &writer) }
        writer.endArray()
    case .string: writer.string(try reader.readString())
    case .number: try copyNumber(&reader, to: &writer)
    case .bool: writer.bool(try reader.readBool())
    case .null: _ = try reader.readNull(); writer.null()
    }
}

private func copyNumber(_ reader: inout JSONReader, to writer: inout JSONWriter) throws(WireError) {
    let text = try reader.readNumber()
    guard let double = JSONNumber.double(text) else { throw WireError("beyond all doubles") }
    require(double.bitPattern == Double(String(decoding: text, as: UTF8.self))?.bitPattern, "not the nearest double")
    let whole = JSONNumber.int64(text)
    if let whole { require(Double(whole) == double, "a whole number differs as a double") }
    if JSONNumber(text).isInteger, let whole { writer.int64(whole) } else { writer.double(double) }
}
