public import CloudKitWire

extension Schema {
    /// What the server keeps for every record. A schema names these fields only to give them indexes.
    public enum SystemField: Sendable, Hashable, CaseIterable {
        // In the order of their names' bytes, which is that of an export.
        case createTime, createdBy, etag, modTime, modifiedBy, recordID

        /// nil for names that are none of the six.
        public init?(name: Name) {
            guard name.bytes.first == UInt8(ascii: "_"),
                let field = SystemField.allCases.first(where: { $0.name == name })
            else { return nil }
            self = field
        }

        /// The name in the schema language. It begins with an underscore, so it always stands in quotes.
        public var name: Name {
            switch self {
            case .createTime: "___createTime"
            case .createdBy: "___createdBy"
            case .etag: "___etag"
            case .modTime: "___modTime"
            case .modifiedBy: "___modifiedBy"
            case .recordID: "___recordID"
            }
        }

        /// The name in messages of the web service about queries.
        public var apiName: String {
            switch self {
            case .createTime: "createdTimestamp"
            case .createdBy: "createdUserRecordName"
            case .etag: "recordChangeTag"
            case .modTime: "modifiedTimestamp"
            case .modifiedBy: "modifiedUserRecordName"
            case .recordID: "recordName"
            }
        }

        /// The type, which is fixed.
        public var type: DataType {
            switch self {
            case .createTime, .modTime: DataType(checked: .timestamp)
            case .createdBy, .modifiedBy, .recordID: DataType(checked: .reference)
            case .etag: DataType(checked: .string)
            }
        }

        /// The options it may have: those of its type, and a record ID can be sorted by.
        public var allowedOptions: Options {
            self == .recordID ? type.allowedOptions.union(.sortable) : type.allowedOptions
        }
    }
}
