public import CloudKitWire

extension Schema {
    /// The type of a field, as far as the schema language can express it.
    public struct DataType: Sendable, Hashable {
        /// The notation of a number.
        public enum Number: Sendable, Hashable {
            /// INT64, DOUBLE, or not a number at all.
            case exact
            /// `NUMBER`: the kind is not chosen yet, so it behaves as DOUBLE.
            case undecided
            /// `NUMBER PREFERRED AS` the kind. The choice is made once.
            case preferred
        }

        public let kind: FieldType
        /// Whether values are encrypted; in a list, those of its elements.
        public let isEncrypted: Bool
        public let number: Number

        /// - Returns: nil for a type that the language cannot express: a list of unknown type, encrypted assets and references
        ///   (assets always are), `NUMBER` that is encrypted or not numeric, `NUMBER` without a choice that is not DOUBLE.
        public init?(_ kind: FieldType, isEncrypted: Bool = false, number: Number = .exact) {
            let element = kind.element ?? kind
            switch element {
            case .unknownList: return nil
            case .asset, .reference: if isEncrypted || number != .exact { return nil }
            case .double: if isEncrypted && number != .exact { return nil }
            case .int64: if number == .undecided || (isEncrypted && number != .exact) { return nil }
            default: if number != .exact { return nil }
            }
            self.init(checked: kind, isEncrypted, number)
        }

        init(checked kind: FieldType, _ isEncrypted: Bool = false, _ number: Number = .exact) {
            self.kind = kind
            self.isEncrypted = isEncrypted
            self.number = number
        }

        /// The list of this type; nil for lists.
        var list: DataType? { kind.list.map { DataType(checked: $0, isEncrypted, number) } }

        /// Whether a field may change from this type to the other and keep its values: a `NUMBER` may get its preference once
        /// (docs/schema.md L36).
        public func mayBecome(_ new: DataType) -> Bool {
            self == new || (number == .undecided && new.number == .preferred && kind.isList == new.kind.isList)
        }
    }
}

extension Schema.DataType {
    /// The type in the schema language, as exports print it.
    public var words: String {
        let element = kind.element ?? kind
        let name = Schema.DataType.names.first { $0.kind == element }?.name ?? "?"
        let spelled =
            switch number {
            case .exact: isEncrypted ? "ENCRYPTED \(name)" : name
            case .undecided: "NUMBER"
            case .preferred: "NUMBER PREFERRED AS \(name)"
            }
        return kind.isList ? "LIST<\(spelled)>" : spelled
    }

    /// The primitive types by name in the schema language.
    static let names: [(name: String, kind: FieldType)] = [
        ("ASSET", .asset), ("BYTES", .bytes), ("DOUBLE", .double), ("INT64", .int64), ("LOCATION", .location),
        ("REFERENCE", .reference), ("STRING", .string), ("TIMESTAMP", .timestamp),
    ]

    /// The options that a field of this type may have (docs/schema.md L14, L15).
    public var allowedOptions: Schema.Options {
        guard !isEncrypted else { return [] }
        switch kind {
        case .asset, .assetList, .unknownList: return []
        case .string: return [.queryable, .sortable, .searchable]
        case .int64, .double, .timestamp, .bytes, .location: return [.queryable, .sortable]
        case .stringList: return [.queryable, .searchable]
        case .reference, .int64List, .doubleList, .timestampList, .locationList, .referenceList, .bytesList:
            return .queryable
        }
    }
}
