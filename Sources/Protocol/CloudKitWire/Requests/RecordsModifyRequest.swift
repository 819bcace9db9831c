/// The body of `records/modify`.
public struct RecordsModifyRequest: Sendable {
    public var operations: [RecordOperation] = []
    /// Zone of all records that specify none; nil for the default zone.
    public var zoneID: ZoneIDDictionary?
    /// nil if not specified.
    public var atomic: Bool?
    /// The program's own token for this request; nil if it sends none.
    public var clientChangeToken: [UInt8]?
    /// The fields in the response; nil for all.
    public var desiredKeys: DesiredKeys?
    public var numbersAsStrings = false

    /// - Throws: `WireError` for a request that cannot be parsed. Errors inside `fields` are reported later, for each record
    ///   separately.
    public init(json: ArraySlice<UInt8>, limits: RequestLimits = .standard) throws(WireError) {
        var operations: [RecordOperation]?
        try JSONReader.readRequest(json, limits) { reader, key throws(WireError) in
            switch key {
            case "operations":
                operations = try reader.readList(.operations, limit: limits.operations) { reader throws(WireError) in
                    try RecordOperation(&reader)
                }
            case "zoneID": self.zoneID = try ZoneIDDictionary(&reader)
            case "atomic": self.atomic = try reader.readBool()
            case "clientChangeToken": clientChangeToken = try reader.readBase64(limit: limits.clientTokenBytes)
            case "desiredKeys": self.desiredKeys = try DesiredKeys(&reader)
            case "numbersAsStrings": self.numbersAsStrings = try reader.readBool()
            default: break
            }
        }
        guard let operations else { throw WireError.missing("operations") }
        self.operations = operations
    }
}
