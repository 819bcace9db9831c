/// The criteria of a query.
public struct RecordQuery: Sendable {
    public var recordType: Name
    public var filters: [QueryFilter] = []
    /// Most significant first.
    public var sorts: [QuerySort] = []

    init(_ reader: inout JSONReader) throws(WireError) {
        var recordType: Name?
        var filters: [QueryFilter] = []
        var sorts: [QuerySort] = []
        try reader.readMembers { reader, key throws(WireError) in
            switch key {
            case "recordType": recordType = try reader.readName()
            case "filterBy":
                filters = try reader.readOneOrMore(.filterBy) { reader throws(WireError) in try QueryFilter(&reader) }
            case "sortBy":
                sorts = try reader.readOneOrMore(.sortBy) { reader throws(WireError) in try QuerySort(&reader) }
            default: break
            }
        }
        guard let recordType else { throw WireError.missing("recordType") }
        self.recordType = recordType
        self.filters = filters
        self.sorts = sorts
    }
}

/// The body of `records/query`.
public struct RecordsQueryRequest: Sendable {
    public var query: RecordQuery
    /// nil for the default zone, or for all zones with `zoneWide`.
    public var zoneID: ZoneIDDictionary?
    /// Search all zones of the database; ignored if `zoneID` is given.
    public var zoneWide = false
    /// 1 to 200; nil if not specified.
    public var resultsLimit: Int?
    public var continuationMarker: ArraySlice<UInt8>?
    /// The fields in the response; nil for all.
    public var desiredKeys: DesiredKeys?
    public var numbersAsStrings = false

    public init(json: ArraySlice<UInt8>, limits: RequestLimits = .standard) throws(WireError) {
        var query: RecordQuery?
        var zoneID: ZoneIDDictionary?
        var zoneWide = false
        var resultsLimit: Int?
        var marker: ArraySlice<UInt8>?
        var desiredKeys: DesiredKeys?
        var numbersAsStrings = false
        try JSONReader.readRequest(json, limits) { reader, key throws(WireError) in
            switch key {
            case "query": query = try RecordQuery(&reader)
            case "zoneID": zoneID = try ZoneIDDictionary(&reader)
            case "zoneWide": zoneWide = try reader.readBool()
            case "resultsLimit": resultsLimit = try reader.readResultsLimit(limits)
            case "continuationMarker": marker = try reader.readString()
            case "desiredKeys": desiredKeys = try DesiredKeys(&reader)
            case "numbersAsStrings": numbersAsStrings = try reader.readBool()
            default: break
            }
        }
        guard let query else { throw WireError.missing("query") }
        self.query = query
        self.zoneID = zoneID
        self.zoneWide = zoneWide
        self.resultsLimit = resultsLimit
        continuationMarker = marker
        self.desiredKeys = desiredKeys
        self.numbersAsStrings = numbersAsStrings
    }
}
