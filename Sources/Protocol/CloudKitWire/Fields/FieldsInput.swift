/// The `fields` of a record in a request, or the one field value of a query: JSON whose syntax has been checked and
/// whose meaning has not, since that needs the schema. ``patch(recordType:zone:known:)`` finds the meaning.
public struct FieldsInput: Sendable {
    /// The object as it was written; it shares the memory of the request.
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

    /// Most fields of a record.
    public static let countMax = 512
    /// Most bytes of them, as they are stored.
    public static let bytesMax = 1 << 20

    /// Gives each field its type (its tag's, else the schema's, else the one its value suggests), checks its value
    /// and writes it canonically.
    ///
    /// - Parameters:
    ///   - recordType: For reasons only.
    ///   - zone: Where the record lives.
    ///   - bytesMax: Most bytes that are written: what a few bytes of a request say may take many.
    ///   - known: What the schema says of a field; nil for a field it does not have.
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

/// What a save does to the fields of a record.
public struct FieldsPatch: Sendable {
    /// The fields that get a value: canonical bytes of an object.
    public var set: ArraySlice<UInt8>
    /// The fields that lose their value, in byte order.
    public var removed: [Name]
    /// The fields in `set`, in byte order.
    public var fields: [PatchedField]
    /// The references in `set`, in its order; one may stand there more than once.
    public var references: [FieldReference]
    /// Whether `set` holds a field marked as encrypted.
    public var hasEncrypted: Bool
    /// The assets in `set`, each with the receipt that came with it; one may stand there more than once.
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
