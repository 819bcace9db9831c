/// The body of `records/lookup`.
public struct RecordsLookupRequest: Sendable {
    public struct Item: Sendable {
        public var recordName: Name
        /// nil if the item has no selection of its own.
        public var desiredKeys: DesiredKeys?
    }

    public var records: [Item] = []
    /// nil for the default zone.
    public var zoneID: ZoneIDDictionary?
    /// The fields in the response; nil for all. An item's own selection takes precedence.
    public var desiredKeys: DesiredKeys?
    public var numbersAsStrings = false

    public init(json: ArraySlice<UInt8>, limits: RequestLimits = .standard) throws(WireError) {
        var records: [Item]?
        try JSONReader.readRequest(json, limits) { reader, key throws(WireError) in
            switch key {
            case "records":
                records = try reader.readList(.records) { reader throws(WireError) in try Item(&reader) }
            case "zoneID": self.zoneID = try ZoneIDDictionary(&reader)
            case "desiredKeys": self.desiredKeys = try DesiredKeys(&reader)
            case "numbersAsStrings": self.numbersAsStrings = try reader.readBool()
            default: break
            }
        }
        guard let records else { throw WireError.missing("records") }
        self.records = records
    }
}

extension RecordsLookupRequest.Item {
    fileprivate init(_ reader: inout JSONReader) throws(WireError) {
        var recordName: Name?
        var desiredKeys: DesiredKeys?
        try reader.readMembers { reader, key throws(WireError) in
            switch key {
            case "recordName": recordName = try reader.readName()
            case "desiredKeys": desiredKeys = try DesiredKeys(&reader)
            default: break
            }
        }
        guard let recordName else { throw WireError.missing("recordName") }
        self.init(recordName: recordName, desiredKeys: desiredKeys)
    }
}
