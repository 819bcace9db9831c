/// One value that a filter compares a field with.
public enum FilterValue: Sendable, Hashable {
    /// INT64 and TIMESTAMP, exactly.
    case integer(Int64)
    /// The double that is nearest to a number; finite.
    case double(Double)
    /// UTF-8.
    case string(ArraySlice<UInt8>)
    /// BYTES, decoded.
    case bytes(ArraySlice<UInt8>)
    /// The record or user that a REFERENCE names.
    case recordName(Name)
    /// In degrees, validated.
    case location(latitude: Double, longitude: Double)
}

/// The field that a filter compares: how its values are parsed, and the error for those of another type.
public struct FilterSubject: Sendable {
    /// As the client spelled it.
    public var field: Name
    public var recordType: Name
    /// The type in the schema; filters on a list compare with its elements.
    public var type: FieldType
    /// Whether it is a system field. Some clients wrap its values in an object whose only key is the field's name.
    public var isSystem: Bool
    /// Whether a string may be used as a reference to the record with that name.
    public var takesNames: Bool
    /// The zone that references may name; nil for any.
    public var zone: ReferenceZone?

    public init(
        field: Name, recordType: Name, type: FieldType, isSystem: Bool = false, takesNames: Bool = false,
        zone: ReferenceZone? = nil
    ) {
        self.field = field
        self.recordType = recordType
        self.type = type
        self.isSystem = isSystem
        self.takesNames = takesNames
        self.zone = zone
    }

    fileprivate var element: FieldType { type.element ?? type }

    /// Whether values with this tag may be compared with the field. Numbers of both types are compared by value.
    fileprivate func takes(_ tag: FieldType) -> Bool {
        switch (element, tag) {
        case (.int64, .double), (.double, .int64): true
        case (.reference, .string): takesNames
        default: tag == element
        }
    }

    fileprivate func contradiction(_ type: FieldType, isEncrypted: Bool = false) -> WireError {
        WireError(
            "invalid attempt to compare value type \(isEncrypted ? "ENCRYPTED_" : "")\(type.tag) with field "
                + "\(WireError.excerpt(field.bytes)) of type \(WireError.excerpt(recordType.bytes)), defined to be: "
                + self.type.tag + self.type.form(insteadOf: type))
    }
}

extension FieldInput {
    /// The value, for a comparator that takes one.
    ///
    /// - Throws: `WireError` if there is none, or it cannot be compared with the field.
    public func filterValue(of subject: FilterSubject) throws(WireError) -> FilterValue {
        var reader = try checkedValue(of: subject)
        if let type, type.isList || !subject.takes(type) { throw subject.contradiction(type) }
        return try FilterValueReading(subject: subject, tag: type).value(&reader)
    }

    /// The values, for a comparator that takes a list.
    ///
    /// - Throws: `WireError` if there is no list, it is too long, or a value in it cannot be compared with the field.
    public func filterValues(of subject: FilterSubject) throws(WireError) -> [FilterValue] {
        var reader = try checkedValue(of: subject)
        let isTaggedAsList = type?.isList ?? true
        guard isTaggedAsList, try reader.kind == .array else {
            let tag = subject.element.list?.tag ?? FieldType.unknownList.tag
            throw WireError(
                "Unexpected input: this comparator takes a list, with the type \(tag) (field '\(WireError.excerpt(subject.field.bytes))')"
            )
        }
        let tag = type?.element
        if let tag, !subject.takes(tag) { throw subject.contradiction(type ?? .unknownList) }
        let reading = FilterValueReading(subject: subject, tag: tag)
        return try reader.readList(.value) { reader throws(WireError) in try reading.value(&reader) }
    }

    /// The location from which a sort measures distance.
    ///
    /// - Throws: `WireError` if the value is not a location.
    public func place() throws(WireError) -> (latitude: Double, longitude: Double) {
        guard var reader = value, type ?? .location == .location, !isEncrypted, try reader.kind == .object else {
            throw FieldValueEncoder.invalid(.location)
        }
        return try LocationValue(&reader).place
    }

    private func checkedValue(of subject: FilterSubject) throws(WireError) -> JSONReader {
        guard let reader = value else { throw WireError.missing("value") }
        if isEncrypted { throw subject.contradiction(type ?? subject.element, isEncrypted: true) }
        return subject.isSystem ? try reader.unwrapped(from: subject.field) : reader
    }
}

extension JSONReader {
    /// A reader of the value under `key`, if that is the object's only key; otherwise the same reader.
    fileprivate func unwrapped(from key: Name) throws(WireError) -> JSONReader {
        var reader = self
        guard try reader.kind == .object else { return self }
        var count = 0
        var inner: JSONReader?
        try reader.readObject { reader, found throws(WireError) in
            count += 1
            if found.name == key { inner = reader }
        }
        guard count == 1, let inner else { return self }
        return inner
    }
}

/// Parses values for one filter.
private struct FilterValueReading {
    let subject: FilterSubject
    /// The type specified by the client; nil if it leaves that to the schema.
    let tag: FieldType?

    func value(_ reader: inout JSONReader) throws(WireError) -> FilterValue {
        switch (subject.element, try reader.kind) {
        case (.string, .string): return .string(try reader.readString())
        case (.bytes, .string): return .bytes(try decoded(try reader.readString()))
        case (.int64, .bool) where tag != .double: return .integer(try reader.readBool() ? 1 : 0)
        case (.int64, .number), (.double, .number), (.timestamp, .number):
            return try number(try reader.readNumber())
        case (.int64, .string) where tag != nil, (.double, .string) where tag != nil,
            (.timestamp, .string) where tag != nil:
            return try number(try FieldValueEncoder.number(in: try reader.readString(), subject.element))
        case (.reference, .string) where subject.takesNames: return .recordName(try reader.readName())
        case (.reference, .object): return .recordName(try reference(&reader))
        case (.location, .object):
            let place = try LocationValue(&reader).place
            return .location(latitude: place.latitude, longitude: place.longitude)
        default: throw try mismatch(&reader)
        }
    }

    /// The error for a value whose JSON cannot be of the field's type.
    private func mismatch(_ reader: inout JSONReader) throws(WireError) -> WireError {
        if let tag { return FieldValueEncoder.invalid(tag) }
        let looks = try FieldType(inferredFrom: &reader)
        return looks == subject.element ? FieldValueEncoder.invalid(looks) : subject.contradiction(looks)
    }

    /// An INT64 is compared exactly, even with doubles; a DOUBLE is the nearest double, even when compared with integers.
    private func number(_ text: ArraySlice<UInt8>) throws(WireError) -> FilterValue {
        switch tag ?? untagged(text) {
        case .double:
            guard let value = JSONNumber.double(text) else { throw FieldValueEncoder.invalid(.double) }
            return .double(value)
        case let type:
            guard let value = JSONNumber.integer(text, of: type) else { throw FieldValueEncoder.invalid(type) }
            return .integer(value)
        }
    }

    /// The type of a number without a tag follows from its notation; one that is too long for an INT64 can only be a DOUBLE.
    private func untagged(_ text: ArraySlice<UInt8>) -> FieldType {
        if subject.element == .timestamp { return .timestamp }
        if !JSONNumber(text).isInteger { return .double }
        return subject.element == .double && JSONNumber.int64(text) == nil ? .double : .int64
    }

    private func decoded(_ text: ArraySlice<UInt8>) throws(WireError) -> ArraySlice<UInt8> {
        guard let bytes = Base64.bytes(of: text) else { throw FieldValueEncoder.invalid(.bytes) }
        return bytes
    }

    private func reference(_ reader: inout JSONReader) throws(WireError) -> Name {
        let input = try ReferenceInput(&reader)
        if let zone = subject.zone, let named = input.zoneID, !zone.isNamed(by: named) {
            throw WireError("references never leave the zone of their record, so this one would match nothing")
        }
        return input.recordName
    }
}
