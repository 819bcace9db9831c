extension FieldType {
    /// Parses a tag of a request from its bytes.
    public init?(tag: ArraySlice<UInt8>) {
        guard let type = tag.withUnsafeBufferPointer({ FieldType(tag: $0) }) else { return nil }
        self = type
    }

    init?(tag: UnsafeBufferPointer<UInt8>) {
        switch tag {
        case "STRING": self = .string
        case "INT64": self = .int64
        case "DOUBLE": self = .double
        case "TIMESTAMP": self = .timestamp
        case "LOCATION": self = .location
        case "REFERENCE": self = .reference
        case "ASSETID", "ASSET": self = .asset
        case "BYTES": self = .bytes
        case "STRING_LIST": self = .stringList
        case "INT64_LIST": self = .int64List
        case "DOUBLE_LIST": self = .doubleList
        case "TIMESTAMP_LIST": self = .timestampList
        case "LOCATION_LIST": self = .locationList
        case "REFERENCE_LIST": self = .referenceList
        case "ASSETID_LIST", "ASSET_LIST": self = .assetList
        case "BYTES_LIST": self = .bytesList
        case "UNKNOWN_LIST", "LIST": self = .unknownList
        default: return nil
        }
    }

    /// The tag in responses, without an allocation.
    var staticTag: StaticString {
        switch self {
        case .string: "STRING"
        case .int64: "INT64"
        case .double: "DOUBLE"
        case .timestamp: "TIMESTAMP"
        case .location: "LOCATION"
        case .reference: "REFERENCE"
        case .asset: "ASSETID"
        case .bytes: "BYTES"
        case .stringList: "STRING_LIST"
        case .int64List: "INT64_LIST"
        case .doubleList: "DOUBLE_LIST"
        case .timestampList: "TIMESTAMP_LIST"
        case .locationList: "LOCATION_LIST"
        case .referenceList: "REFERENCE_LIST"
        case .assetList: "ASSETID_LIST"
        case .bytesList: "BYTES_LIST"
        case .unknownList: "UNKNOWN_LIST"
        }
    }

    /// The tags of all types, for people.
    static var tags: String { allCases.map(\.tag).joined(separator: ", ") }

    /// A sentence with the form of a value, to append to an error; empty for types whose form is obvious.
    var form: String {
        switch self {
        case .timestamp: " Send milliseconds since 1970, such as 1804579200000."
        case .reference: #" Send an object, such as {"recordName":"NAME"}."#
        default: ""
        }
    }

    /// The same after an error without a full stop, for a value that looks like one of `type`. Dates and names of records are often sent
    /// as strings.
    func form(insteadOf type: FieldType) -> String { type == .string && !form.isEmpty ? "." + form : "" }

    /// Whether a client may mark values of this type as encrypted.
    var mayBeEncrypted: Bool {
        switch element ?? self {
        case .string, .int64, .double, .timestamp, .location, .bytes, .unknownList: true
        default: false
        }
    }
}
