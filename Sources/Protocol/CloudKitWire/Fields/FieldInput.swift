/// One field value of a request: `{"value": …, "type": …, "isEncrypted": …}`.
public struct FieldInput: Sendable {
    /// The tag; nil where none was given.
    public let type: FieldType?
    public let isEncrypted: Bool
    /// Positioned at the value; nil if there is none: `null`, `{}`, `{"value":null}`, a type alone.
    let value: JSONReader?

    init(type: FieldType?, isEncrypted: Bool = false, value: JSONReader?) {
        self.type = type
        self.isEncrypted = isEncrypted
        self.value = value
    }

    /// Parses a field value.
    ///
    /// - Throws: `WireError` for an invalid field value and for an unknown tag.
    init(_ reader: inout JSONReader) throws(WireError) {
        let parts = try FieldValueParts(&reader)
        var value: JSONReader?
        if let position = parts.value {
            value = reader
            value?.position = position
        }
        self.init(type: parts.type, isEncrypted: parts.isEncrypted, value: value)
    }
}

/// The parts of a field value; the value itself is not parsed yet.
struct FieldValueParts {
    private(set) var type: FieldType?
    private(set) var isEncrypted = false
    /// The position of the value; nil if there is none.
    private(set) var value: Int?

    init(_ reader: inout JSONReader) throws(WireError) {
        if let usual = reader.readUsualFieldValue() {
            self = usual
            return
        }
        if try reader.readNull() { return }
        guard reader.next == UInt8(ascii: "{") else {
            throw WireError("a field value must be an object with the keys 'value' and 'type'", offset: reader.offset)
        }
        try reader.readObject { reader, key throws(WireError) in
            let start = reader.position
            if try reader.readNull() { return }
            switch key {
            case "value": self.value = start
            case "type":
                let tag = try FieldTag(&reader)
                self.type = tag.type
                if tag.isEncrypted { self.isEncrypted = true }
            case "isEncrypted": if try reader.readBool() { self.isEncrypted = true }
            default: break
            }
        }
    }
}

extension FieldValueParts {
    fileprivate init(type: FieldType?, value: Int) {
        self.type = type
        self.value = value
    }
}

extension JSONReader {
    /// A fast path for the usual forms of a field value, `{"value":…,"type":"…"}` or `{"value":…}`, without examining keys one by
    /// one. Returns nil, without reading anything, for any other form, which may be valid as well.
    fileprivate mutating func readUsualFieldValue() -> FieldValueParts? {
        let found: (value: Int, type: FieldType?, end: Int)? = scanInside { scanner, start, depth in
            var index = start
            guard scanner.skip("{\"value\":", &index) else { return nil }
            let value = index
            guard scanner.byte(value) != UInt8(ascii: "n"), let end = try? scanner.endOfValue(value, depth: depth)
            else {
                return nil
            }
            index = end
            if scanner.skip("}", &index) { return (value, nil, index) }
            guard scanner.skip(",\"type\":\"", &index) else { return nil }
            let tag = index
            index = scanner.endOfPlainText(tag)
            guard let type = FieldType(tag: UnsafeBufferPointer(rebasing: scanner.bytes[tag..<index])),
                scanner.skip("\"}", &index)
            else { return nil }
            return (value, type, index)
        }
        guard let found else { return nil }
        let start = position - offset
        pass(offset: found.end)
        return FieldValueParts(type: found.type, value: start + found.value)
    }
}

/// The tag of a request, in all spellings that clients use. Responses and stored fields have only one.
private struct FieldTag {
    private static let encrypted = "ENCRYPTED_".utf8

    let type: FieldType
    /// Whether the tag includes the meaning of `isEncrypted`.
    let isEncrypted: Bool

    init(_ reader: inout JSONReader) throws(WireError) {
        let start = reader.offset
        let tag = try reader.readString()
        isEncrypted = tag.starts(with: Self.encrypted)
        let plain = isEncrypted ? tag.dropFirst(Self.encrypted.count) : tag
        guard let type = plain.elementsEqual("NUMBER_INT64".utf8) ? .int64 : FieldType(tag: plain) else {
            throw WireError(
                "unknown field type '\(WireError.excerpt(tag))': use one of \(FieldType.tags)", offset: start)
        }
        self.type = type
    }
}

extension FieldType {
    /// The type inferred from a value without a tag (docs/protocol.md, "Field values"). Does not advance the reader.
    init(inferredFrom reader: inout JSONReader) throws(WireError) {
        let start = reader.position
        switch try reader.kind {
        case .string: self = .string
        case .bool: self = .int64
        case .number: self = JSONNumber(try reader.readNumber()).isInteger ? .int64 : .double
        case .object: self = try Self.inferred(fromObject: &reader)
        case .array: self = try Self.inferred(fromArray: &reader)
        case .null: throw WireError("null is not a value")
        }
        reader.position = start
    }

    private static func inferred(fromObject reader: inout JSONReader) throws(WireError) -> FieldType {
        var (latitude, longitude, recordName, asset) = (false, false, false, false)
        try reader.readObject { _, key throws(WireError) in
            switch key {
            case "latitude": latitude = true
            case "longitude": longitude = true
            case "recordName": recordName = true
            case "receipt", "fileChecksum": asset = true
            default: break
            }
        }
        if latitude && longitude { return .location }
        if asset { return .asset }
        if recordName { return .reference }
        throw WireError(
            "an object that is not a location, reference or asset: store JSON as a STRING; for a file, pass the value of "
                + "singleFile that the upload returned")
    }

    private static func inferred(fromArray reader: inout JSONReader) throws(WireError) -> FieldType {
        var first: FieldType?
        try reader.readArray { reader, index throws(WireError) in
            if index == 0 { first = try FieldType(inferredFrom: &reader) }
        }
        guard let first else { return .unknownList }
        guard let list = first.list else { throw WireError("a list inside a list") }
        return list
    }
}
