public import CloudKitWire

extension Schema {
    /// Fields that the server maintains for every record. A schema names them only to index them.
    public enum SystemField: Sendable, Hashable, CaseIterable {
        // In byte order of their names, which is the order of an export.
        case createTime, createdBy, etag, modTime, modifiedBy, recordID

        /// nil for any other name.
        public init?(name: Name) {
            guard name.bytes.first == UInt8(ascii: "_"),
                let field = SystemField.allCases.first(where: { $0.name == name })
            else { return nil }
            self = field
        }

        /// The name in the schema language. It begins with an underscore, so it is always quoted.
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

        /// The name in the web service's error messages about queries.
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

        /// The allowed options: those of its type, and sortable for the record ID.
        public var allowedOptions: Options {
            self == .recordID ? type.allowedOptions.union(.sortable) : type.allowedOptions
        }
    }
}
