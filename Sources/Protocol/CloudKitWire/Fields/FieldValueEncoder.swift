/// Writes single values canonically, by their type.
struct FieldValueEncoder {
    /// The zones that references may name.
    enum References: Sendable {
        /// The zone of the record; outside of public databases it is written with the reference.
        case within(ReferenceZone)
        /// Any, written as given: for bytes that are already stored.
        case anywhere

        var isPublic: Bool {
            switch self {
            case .within(let zone): zone.isPublic
            case .anywhere: false
            }
        }
    }

    let references: References
    private let bytesMax: Int
    /// The references written so far.
    private(set) var found: [FieldReference] = []
    /// The assets written so far.
    private(set) var assets: [FieldAsset] = []

    /// - Parameter bytesMax: Maximum number of bytes written to one output.
    init(references: References, bytesMax: Int) {
        self.references = references
        self.bytesMax = bytesMax
    }

    /// - Throws: `WireError` if more was written than allowed.
    @inline(__always)
    func checkSize(of out: [UInt8]) throws(WireError) {
        guard out.count <= bytesMax else {
            throw WireError("a record can have at most \(bytesMax) bytes without its assets", isLimit: true)
        }
    }

    /// Reads the next value and writes it as the field's type.
    ///
    /// - Parameter isTagged: Whether the client specified the type; numbers may then be strings.
    /// - Throws: `WireError` for a value that is not of that type.
    mutating func append(
        _ reader: inout JSONReader, as type: FieldType, isEncrypted: Bool, isTagged: Bool, to out: inout [UInt8]
    ) throws(WireError) {
        // A value encrypted by a client is opaque, and a string whatever it contains.
        if isEncrypted, try reader.kind == .string { return out.appendQuoted(try reader.readString()) }
        guard type.isList else {
            return try append(&reader, as: type, isTagged: isTagged, to: &out)
        }
        guard try reader.kind == .array else { throw Self.invalid(type) }
        out.append(UInt8(ascii: "["))
        try reader.readArray { reader, index throws(WireError) in
            if index > 0 { out.append(UInt8(ascii: ",")) }
            guard let element = type.element else { throw Self.invalid(type) }
            try self.append(&reader, as: element, isTagged: isTagged, to: &out)
            // Checked after each element: a list of references is written with twenty times its size.
            try self.checkSize(of: out)
        }
        out.append(UInt8(ascii: "]"))
    }

    private mutating func append(
        _ reader: inout JSONReader, as type: FieldType, isTagged: Bool, to out: inout [UInt8]
    ) throws(WireError) {
        let kind = try reader.kind
        switch (type, kind) {
        case (.string, .string): out.appendQuoted(try reader.readString())
        case (.bytes, .string):
            guard Base64.appendNormalised(try reader.readString(), to: &out) else {
                throw WireError("Invalid value, expected type BYTES. It must be Base64.")
            }
        case (.int64, .bool): out.append(try reader.readBool() ? UInt8(ascii: "1") : UInt8(ascii: "0"))
        case (.int64, .number), (.timestamp, .number), (.double, .number):
            try Self.append(number: try reader.readNumber(), as: type, to: &out)
        case (.int64, .string) where isTagged, (.timestamp, .string) where isTagged, (.double, .string) where isTagged:
            try Self.append(number: try Self.number(in: try reader.readString(), type), as: type, to: &out)
        case (.location, .object): try LocationValue(&reader).append(to: &out)
        case (.reference, .object): try appendReference(&reader, to: &out)
        case (.asset, .object):
            let asset = try FieldAsset(&reader)
            assets.append(asset)
            asset.append(to: &out)
        default: throw Self.invalid(type)
        }
    }

    /// Apple's message, and what to send for types whose values are often written in another form.
    static func invalid(_ type: FieldType) -> WireError {
        WireError("Invalid value, expected type \(type.tag)." + type.form)
    }

    private static func append(
        number: ArraySlice<UInt8>, as type: FieldType, to out: inout [UInt8]
    ) throws(WireError) {
        if type == .double {
            guard let value = JSONNumber.double(number) else { throw invalid(type) }
            out.appendShortest(value)
        } else {
            guard let value = JSONNumber.integer(number, of: type) else { throw invalid(type) }
            out.appendDecimal(value)
        }
    }

    /// The number in a string, in JSON's notation.
    static func number(
        in text: ArraySlice<UInt8>, _ type: FieldType
    ) throws(WireError) -> ArraySlice<UInt8> {
        var reader = JSONReader(checked: text)
        guard reader.position == text.startIndex, let kind = try? reader.kind, kind == .number,
            let number = try? reader.readNumber(), number.count == text.count
        else { throw invalid(type) }
        return number
    }

    // MARK: References

    private mutating func appendReference(_ reader: inout JSONReader, to out: inout [UInt8]) throws(WireError) {
        let input = try ReferenceInput(&reader)
        found.append(FieldReference(target: input.recordName, action: input.action))
        out.append("{\"action\":\"")
        out.append(contentsOf: input.action.rawValue.utf8)
        out.append("\",\"recordName\":")
        out.appendQuoted(input.recordName.bytes)
        if let zone = try canonicalZone(of: input) {
            out.append(",\"zoneID\":")
            out.append(contentsOf: zone)
        }
        out.append(UInt8(ascii: "}"))
    }

    private func canonicalZone(of input: ReferenceInput) throws(WireError) -> [UInt8]? {
        switch references {
        case .within(let zone):
            if let named = input.zoneID, !zone.isNamed(by: named) {
                throw WireError(
                    "a reference must stay in the zone of its record, '\(WireError.excerpt(zone.zoneName.bytes))', and names "
                        + "zone '\(WireError.excerpt(named.zoneName.bytes))'")
            }
            return zone.isPublic ? nil : zone.canonical
        case .anywhere:
            return input.zoneID.map {
                ReferenceZone.canonical(zoneName: $0.zoneName, ownerRecordName: $0.ownerRecordName)
            }
        }
    }
}

/// A reference value of a request.
struct ReferenceInput {
    let recordName: Name
    let action: ReferenceAction
    let zoneID: ZoneIDDictionary?

    init(_ reader: inout JSONReader) throws(WireError) {
        var recordName: Name?
        var action = ReferenceAction.none
        var zoneID: ZoneIDDictionary?
        try reader.readObject { reader, key throws(WireError) in
            if try reader.readNull() { return }
            switch key {
            case "recordName": recordName = try reader.readName()
            case "action": action = try ReferenceAction(&reader)
            case "zoneID": zoneID = try ZoneIDDictionary(&reader)
            default: break
            }
        }
        guard let recordName, (1...255).contains(recordName.bytes.count) else {
            throw WireError("a reference needs a recordName of 1 to 255 bytes")
        }
        guard !recordName.hasControlCharacters else {
            throw WireError("the recordName of a reference must not contain control characters")
        }
        self.recordName = recordName
        self.action = action
        self.zoneID = zoneID
    }
}

extension ReferenceAction {
    fileprivate init(_ reader: inout JSONReader) throws(WireError) {
        let text = try reader.readString()
        switch JSONKey(bytes: text) {
        case "NONE": self = .none
        case "DELETE_SELF": self = .deleteSelf
        case "VALIDATE": self = .validate
        default:
            throw WireError(
                "unknown reference action '\(WireError.excerpt(text))': use one of NONE, DELETE_SELF, VALIDATE")
        }
    }
}
