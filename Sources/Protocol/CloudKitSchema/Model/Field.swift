public import CloudKitWire

extension Schema {
    /// A field of a record type.
    public struct Field: Sendable, Hashable {
        public let name: Name
        public var type: DataType
        public var options: Options

        public init(name: Name, type: DataType, options: Options = []) {
            self.name = name
            self.type = type
            self.options = options
        }
    }

    /// The indexes that queries may use. The raw value is stored in the catalog and never changes its meaning.
    public struct Options: OptionSet, Sendable, Hashable {
        public let rawValue: Int64
        public init(rawValue: Int64) { self.rawValue = rawValue }
        /// Equality, membership, prefixes, distance.
        public static let queryable = Options(rawValue: 1)
        /// Ranges and order.
        public static let sortable = Options(rawValue: 2)
        /// Words in a text.
        public static let searchable = Options(rawValue: 4)

        /// Each option with its word, in the order of an export.
        static let words: [(option: Options, word: String)] = [
            (.queryable, "QUERYABLE"), (.searchable, "SEARCHABLE"), (.sortable, "SORTABLE"),
        ]

        /// The words of the schema language, in the order of an export.
        public var words: [String] { Options.words.filter { contains($0.option) }.map(\.word) }
    }

    /// What a role may do with the records of a type in the public database. The raw value is stored in the catalog
    /// and never changes its meaning.
    public struct Rights: OptionSet, Sendable, Hashable {
        public let rawValue: Int64
        public init(rawValue: Int64) { self.rawValue = rawValue }
        public static let read = Rights(rawValue: 1)
        public static let create = Rights(rawValue: 2)
        /// Update and delete.
        public static let write = Rights(rawValue: 4)

        /// Each right with its word, in the order of an export.
        static let words: [(right: Rights, word: String)] = [(.read, "READ"), (.create, "CREATE"), (.write, "WRITE")]

        /// The words of the schema language, in the order of an export.
        public var words: [String] { Rights.words.filter { contains($0.right) }.map(\.word) }
    }
}

extension Schema.Field {
    /// Creates a field from its row in the catalog.
    ///
    /// - Parameter storedOptions: The value of ``storedOptions``.
    /// - Returns: nil for a field that no schema can express, such as an encrypted asset.
    public init?(name: Name, kind: FieldType, isEncrypted: Bool, storedOptions: Int64) {
        let number = Schema.DataType.Number(stored: storedOptions)
        guard let type = Schema.DataType(kind, isEncrypted: isEncrypted, number: number) else { return nil }
        let all = Schema.Options.words.map(\.option).reduce(into: Schema.Options()) { $0.formUnion($1) }
        self.init(name: name, type: type, options: Schema.Options(rawValue: storedOptions).intersection(all))
    }

    /// The options as stored in the catalog, with the notation of a number: 8 for NUMBER, and 16 more if a preference was chosen.
    public var storedOptions: Int64 { options.rawValue | type.number.stored }
}

extension Schema.DataType.Number {
    fileprivate init(stored options: Int64) {
        let isNumber = options & 8 != 0
        self = !isNumber ? .exact : options & 16 != 0 ? .preferred : .undecided
    }

    fileprivate var stored: Int64 {
        switch self {
        case .exact: 0
        case .undecided: 8
        case .preferred: 24
        }
    }
}
