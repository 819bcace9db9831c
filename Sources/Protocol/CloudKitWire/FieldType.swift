/// The type of a field, as the wire tags it (docs/protocol.md, "Field values").
///
/// The raw value is stored in the catalog and never changes its meaning.
public enum FieldType: Int64, Sendable, Hashable, CaseIterable {
    case string = 1
    case int64 = 2
    case double = 3
    case timestamp = 4
    case location = 5
    case reference = 6
    case asset = 7
    case bytes = 8
    case stringList = 17
    case int64List = 18
    case doubleList = 19
    case timestampList = 20
    case locationList = 21
    case referenceList = 22
    case assetList = 23
    case bytesList = 24
    /// An empty list whose element type is not known yet. It never determines the type of a field.
    case unknownList = 31

    /// The tag in responses.
    public var tag: String { staticTag.description }

    /// Parses a tag of a request: the tags of responses, and `ASSET`, `ASSET_LIST`, `LIST` (which old clients send and which means
    /// the same as `UNKNOWN_LIST`).
    public init?(tag: some StringProtocol) {
        var text = String(tag)
        guard let type = text.withUTF8({ FieldType(tag: $0) }) else { return nil }
        self = type
    }

    public var isList: Bool { rawValue >= 17 }

    /// The type of a list's elements; nil for scalars and the unknown list.
    public var element: FieldType? { isList ? FieldType(rawValue: rawValue - 16) : nil }

    /// The list of this type; nil for lists.
    public var list: FieldType? { isList ? nil : FieldType(rawValue: rawValue + 16) }
}
