/// The body of `records/modify`.
public struct RecordsModifyRequest: Sendable {
    public var operations: [RecordOperation] = []
    /// Zone of all records that name none of their own; nil means the default zone.
    public var zoneID: ZoneIDDictionary?
    /// nil where the client says nothing.
    public var atomic: Bool?
    /// What the program wants to know this request by; nil where it gives nothing.
    public var clientChangeToken: [UInt8]?
    /// Which fields the answer holds; nil for all.
    public var desiredKeys: DesiredKeys?
    public var numbersAsStrings = false

    /// - Throws: `WireError` for what no server could make sense of. What is wrong inside `fields` comes out later,
    ///   for each record by itself.
    public init(json: ArraySlice<UInt8>, limits: RequestLimits = .standard) throws(WireError) {
        var operations: [RecordOperation]?
        try JSONReader.readRequest(json, limits) { reader, key throws(WireError) in
            switch key {
            case "operations":
                operations = try reader.readList(.operations) { reader throws(WireError) in
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
