/// The `fields` of a record in a request, or the one field value of a query: JSON with valid syntax that is not interpreted yet,
/// because that requires the schema. ``patch(recordType:zone:known:)`` interprets it.
public struct FieldsInput: Sendable {
    /// The object as received; it shares the memory of the request.
    let json: ArraySlice<UInt8>

    /// No fields.
    public static let empty = FieldsInput(checked: [0x7B, 0x7D])

    init(checked json: ArraySlice<UInt8>) { self.json = json }

    /// - Parameter json: One JSON object.
    public init(json: ArraySlice<UInt8>, limits: JSONLimits = JSONLimits()) throws(WireError) {
        var reader = try JSONReader(json, limits: limits)
        guard try reader.kind == .object else { throw reader.unexpected("an object") }
        self.json = try reader.skipValue()
        try reader.finish()
    }

    /// Maximum number of fields of a record.
    public static let countMax = 512
    /// Maximum size of them in bytes, as stored.
    public static let bytesMax = 1 << 20

    /// Gives each field its type (its tag's, else the schema's, else the one its value suggests), checks its value
    /// and writes it canonically.
    ///
    /// - Parameters:
    ///   - recordType: Used in error messages only.
    ///   - zone: The zone of the record.
    ///   - bytesMax: Maximum number of bytes written: a few bytes of a request may expand to many.
    ///   - known: The schema's entry for a field; nil if it has none.
    /// - Throws: `FieldProblem` for the first field that cannot be saved.
    public func patch(
        recordType: Name, zone: ReferenceZone, bytesMax: Int = FieldsInput.bytesMax, known: (Name) -> KnownField?
    ) throws(FieldProblem) -> FieldsPatch {
        var encoder = FieldEncoder(
            references: .within(zone), recordType: recordType, reserving: min(json.count, bytesMax) + 64,
            bytesMax: bytesMax)
        try encoder.encode(json, known: known)
        return encoder.patch()
    }
}

/// The effect of a save on the fields of a record.
public struct FieldsPatch: Sendable {
    /// The fields that get a value, as canonical bytes of an object.
    public var set: ArraySlice<UInt8>
    /// The fields that lose their value, in byte order.
    public var removed: [Name]
    /// The fields in `set`, in byte order.
    public var fields: [PatchedField]
    /// The references in `set`, in order; there may be duplicates.
    public var references: [FieldReference]
    /// Whether `set` holds a field marked as encrypted.
    public var hasEncrypted: Bool
    /// The assets in `set`, each with its receipt; there may be duplicates.
    public var assets: [FieldAsset]

    public init(
        set: ArraySlice<UInt8> = CanonicalFields.empty, removed: [Name] = [], fields: [PatchedField] = [],
        references: [FieldReference] = [], hasEncrypted: Bool = false, assets: [FieldAsset] = []
    ) {
        self.set = set
        self.removed = removed
        self.fields = fields
        self.references = references
        self.hasEncrypted = hasEncrypted
        self.assets = assets
    }
}
