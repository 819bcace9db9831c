import CloudKitWire

/// The persistent form of a shape, version 1: the version, the type, the number of parts, then for each part a tag and
/// its fields. Numbers are big-endian.
///
/// The version also covers the format of entries: words, cells and keys. If any of these changes, the version changes,
/// and indexes of older versions can no longer be read: they are dropped, and queries open new ones.
extension IndexShape {
    private static let formatVersion: UInt8 = 1

    /// The persistent form of the shape. Equal shapes have equal bytes.
    public var bytes: [UInt8] {
        var out: [UInt8] = [Self.formatVersion]
        out.reserveCapacity(64)
        out.append(bigEndian: type)
        out.append(UInt8(clamping: parts.count))
        for part in parts { Self.append(part, to: &out) }
        return out
    }

    /// Reads the persistent form of a shape.
    ///
    /// - Returns: nil for bytes that are not a valid shape of this version.
    public init?(bytes: [UInt8]) {
        var reader = ShapeReader(rest: bytes[...])
        guard reader.byte() == Self.formatVersion, let type: TypeNumber = reader.integer(), let count = reader.byte()
        else { return nil }
        var parts: [Part] = []
        for _ in 0..<count {
            guard let part = reader.part() else { return nil }
            parts.append(part)
        }
        guard reader.rest.isEmpty, !parts.isEmpty else { return nil }
        self.init(type: type, parts: parts)
    }

    private static func append(_ part: Part, to out: inout [UInt8]) {
        switch part {
        case .value(let field):
            out.append(1)
            append(field, to: &out)
        case .member(let field):
            out.append(2)
            append(field, to: &out)
        case .token(let fields):
            out.append(3)
            out.append(bigEndian: UInt16(clamping: fields.count))
            for field in fields { append(field, to: &out) }
        case .cell(let field):
            out.append(4)
            append(field, to: &out)
        case .order(let field, let isDescending):
            out.append(isDescending ? 6 : 5)
            append(field, to: &out)
        }
    }

    private static func append(_ field: RecordField, to out: inout [UInt8]) {
        switch field {
        case .field(let name, let type, let epoch):
            out.append(1)
            out.append(UInt8(clamping: type.rawValue))
            out.append(bigEndian: epoch)
            out.append(bigEndian: UInt16(clamping: name.bytes.count))
            out.append(contentsOf: name.bytes)
        case .recordName: out.append(2)
        case .createdAt: out.append(3)
        case .createdBy: out.append(4)
        case .modifiedAt: out.append(5)
        case .modifiedBy: out.append(6)
        case .parent: out.append(7)
        case .share: out.append(8)
        case .parentInShare: out.append(9)
        }
    }
}

/// Parses the bytes of a shape.
private struct ShapeReader {
    var rest: ArraySlice<UInt8>

    mutating func byte() -> UInt8? { rest.popFirst() }

    mutating func integer<Number: FixedWidthInteger>() -> Number? {
        let width = Number.bitWidth / 8
        guard rest.count >= width else { return nil }
        defer { rest = rest.dropFirst(width) }
        return rest.prefix(width).reduce(0) { $0 << 8 | Number(truncatingIfNeeded: $1) }
    }

    mutating func part() -> IndexShape.Part? {
        switch byte() {
        case 1: field().map { .value($0) }
        case 2: field().map { .member($0) }
        case 3: fields().map { .token($0) }
        case 4: field().map { .cell($0) }
        case 5: field().map { .order($0, isDescending: false) }
        case 6: field().map { .order($0, isDescending: true) }
        default: nil
        }
    }

    private mutating func fields() -> [RecordField]? {
        guard let count: UInt16 = integer() else { return nil }
        var fields: [RecordField] = []
        for _ in 0..<count {
            guard let field = field() else { return nil }
            fields.append(field)
        }
        return fields
    }

    private mutating func field() -> RecordField? {
        switch byte() {
        case 1: namedField()
        case 2: .recordName
        case 3: .createdAt
        case 4: .createdBy
        case 5: .modifiedAt
        case 6: .modifiedBy
        case 7: .parent
        case 8: .share
        case 9: .parentInShare
        default: nil
        }
    }

    private mutating func namedField() -> RecordField? {
        guard let kind = byte(), let type = FieldType(rawValue: Int64(kind)), let epoch: Int64 = integer(),
            let length: UInt16 = integer(), rest.count >= Int(length)
        else { return nil }
        defer { rest = rest.dropFirst(Int(length)) }
        return .field(Name(bytes: rest.prefix(Int(length))).owned, type, epoch: epoch)
    }
}

extension [UInt8] {
    fileprivate mutating func append(bigEndian number: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: number.bigEndian) { append(contentsOf: $0) }
    }
}
