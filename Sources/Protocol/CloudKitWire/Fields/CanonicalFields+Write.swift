extension CanonicalFields {
    /// Appends fields to a response. Without a selection and with plain numbers this is one copy.
    ///
    /// - Parameters:
    ///   - keys: The fields to write; nil for all. Names of fields without a value are ignored.
    ///   - numbersAsStrings: Whether numbers of the types INT64, DOUBLE and TIMESTAMP, also inside lists, are quoted.
    ///   - assets: Provides additional members for assets; nil if there are none.
    public static func write(
        _ fields: ArraySlice<UInt8>, selecting keys: DesiredKeys? = nil, numbersAsStrings: Bool = false,
        assets: AssetMembers.Source? = nil, to writer: inout JSONWriter
    ) {
        guard keys != nil || numbersAsStrings || assets != nil else { return writer.raw(fields) }
        writer.beginObject()
        fields.withUnsafeBufferPointer { bytes in
            var cursor = FieldsCursor(bytes)
            var wanted = (keys?.names ?? [])[...]
            while let entry = cursor.next() {
                if keys != nil {
                    if wanted.isEmpty { break }
                    guard take(UnsafeBufferPointer(rebasing: bytes[entry.name]), from: &wanted) else { continue }
                }
                guard numbersAsStrings || assets != nil, let parts = cursor.parts(of: entry) else {
                    writer.raw(fields.part(entry.whole))
                    continue
                }
                if numbersAsStrings, (parts.type.element ?? parts.type).isNumber {
                    writer.raw(fields.part(entry.whole.lowerBound..<parts.value.lowerBound))
                    writer.bytes.appendQuotingNumbers(bytes[parts.value])
                    writer.bytes.append(UInt8(ascii: "}"))
                } else if let assets, parts.type.isOfAssets {
                    writer.raw(fields.part(entry.whole.lowerBound..<parts.value.lowerBound))
                    let name = Name(bytes: fields.part(entry.name))
                    write(assets: fields.part(parts.value), parts.type, of: name, assets, to: &writer.bytes)
                    writer.bytes.append(UInt8(ascii: "}"))
                } else {
                    writer.raw(fields.part(entry.whole))
                }
            }
        }
        writer.endObject()
    }

    /// Whether `name` is wanted. Names are passed in byte order, and `wanted` is sorted likewise: earlier ones are dropped.
    private static func take(_ name: UnsafeBufferPointer<UInt8>, from wanted: inout ArraySlice<Name>) -> Bool {
        while let first = wanted.first {
            let order = first.bytes.withUnsafeBufferPointer { $0.compare(name) }
            if order > 0 { return false }
            wanted = wanted.dropFirst()
            if order == 0 { return true }
        }
        return false
    }
}

extension FieldType {
    /// Whether values of this type are quoted by `numbersAsStrings`.
    fileprivate var isNumber: Bool { self == .int64 || self == .double || self == .timestamp }
}

extension [UInt8] {
    /// Appends a number, a list of numbers or (for encrypted values) strings, with quotes around numbers.
    fileprivate mutating func appendQuotingNumbers(_ value: Slice<UnsafeBufferPointer<UInt8>>) {
        if value.first == UInt8(ascii: "\"") { return append(contentsOf: value) }
        var isInNumber = false
        for byte in value {
            let isPunctuation = byte == UInt8(ascii: "[") || byte == UInt8(ascii: ",") || byte == UInt8(ascii: "]")
            if isPunctuation == isInNumber {
                append(UInt8(ascii: "\""))
                isInNumber.toggle()
            }
            append(byte)
        }
        if isInNumber { append(UInt8(ascii: "\"")) }
    }
}
