public import CloudKitWire
public import NephosStorage

/// The value of a record for one ``RecordField``.
public enum FieldValue: Sendable, Equatable {
    /// No value, an encrypted one, or one of a type that differs from the field's.
    case missing
    case one(QueryValue)
    case place(Place)
    /// A list, in its own order; elements may repeat.
    case list([QueryValue])
}

extension FieldValue {
    /// - Parameter type: The type of the field. A value of another type counts as missing, except that an empty list of unknown
    ///   type is an empty list of any type.
    public init(_ stored: StoredValue, as type: FieldType) {
        if type.isList {
            self = Self.list(stored, as: type)
        } else if stored.type != type {
            self = .missing
        } else if type == .location {
            self = stored.coordinate.map { .place(Place(latitude: $0.latitude, longitude: $0.longitude)) } ?? .missing
        } else {
            self = QueryValue(stored).map { .one($0) } ?? .missing
        }
    }

    private static func list(_ stored: StoredValue, as type: FieldType) -> FieldValue {
        guard type.element != .location, type.element != .asset, type != .unknownList else { return .missing }
        if stored.type == .unknownList { return .list([]) }
        guard stored.type == type else { return .missing }
        var values: [QueryValue] = []
        stored.forEachElement { element in
            if let value = QueryValue(element) { values.append(value) }
        }
        return .list(values)
    }
}

extension QueryValue {
    /// A stored value that queries can compare; nil for locations, assets and lists.
    public init?(_ stored: StoredValue) {
        switch stored.type {
        case .int64, .timestamp:
            guard let value = stored.integer else { return nil }
            self = .integer(value)
        case .double:
            guard let value = stored.double else { return nil }
            self = .double(value == 0 ? 0 : value)
        case .string, .bytes, .reference:
            guard let value = stored.bytes else { return nil }
            self = .bytes(value)
        default: return nil
        }
    }
}
