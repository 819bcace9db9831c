/// A client's request for one zone's feed.
public struct ZoneChangesQuery: Sendable {
    public var zoneID: ZoneIDDictionary
    /// nil starts from the beginning; an empty token means that the client is up to date.
    public var syncToken: ArraySlice<UInt8>?
    /// 1 to 200; nil if not specified.
    public var resultsLimit: Int?
    /// The fields in the response; nil for all.
    public var desiredKeys: DesiredKeys?
    /// Only records of these types; nil for all.
    public var desiredRecordTypes: [Name]?
    /// Newest first.
    public var reverse: Bool
    public var numbersAsStrings: Bool
}

/// The body of `changes/zone`: options per zone, with top-level keys as their defaults.
public struct ZoneChangesRequest: Sendable {
    public var zones: [ZoneChangesQuery] = []

    public init(json: ArraySlice<UInt8>, limits: RequestLimits = .standard) throws(WireError) {
        var zones: [ZoneChangesOptions]?
        var defaults = ZoneChangesOptions()
        try JSONReader.readRequest(json, limits) { reader, key throws(WireError) in
            if case "zones" = key {
                zones = try reader.readList(.zones) { reader throws(WireError) in
                    try ZoneChangesOptions(&reader, limits)
                }
            } else {
                try defaults.read(&reader, key, limits)
            }
        }
        guard let zones else { throw WireError.missing("zones") }
        for (index, zone) in zones.enumerated() {
            guard let zoneID = zone.zoneID else { throw WireError.missing("zoneID").within(index: index) }
            self.zones.append(zone.query(of: zoneID, defaults: defaults))
        }
    }
}

/// The body of `records/changes` (deprecated): the same options for one zone.
public struct RecordsChangesRequest: Sendable {
    public var zone: ZoneChangesQuery

    public init(json: ArraySlice<UInt8>, limits: RequestLimits = .standard) throws(WireError) {
        var options = ZoneChangesOptions()
        try JSONReader.readRequest(json, limits) { reader, key throws(WireError) in
            try options.read(&reader, key, limits)
        }
        guard let zoneID = options.zoneID else { throw WireError.missing("zoneID") }
        zone = options.query(of: zoneID, defaults: ZoneChangesOptions())
    }
}

/// The keys of one level of a request for changes.
private struct ZoneChangesOptions {
    private(set) var zoneID: ZoneIDDictionary?
    private var syncToken: ArraySlice<UInt8>?
    private var resultsLimit: Int?
    private var desiredKeys: DesiredKeys?
    private var desiredRecordTypes: [Name]?
    private var reverse: Bool?
    private var numbersAsStrings: Bool?

    init() {}

    init(_ reader: inout JSONReader, _ limits: RequestLimits) throws(WireError) {
        try reader.readMembers { reader, key throws(WireError) in try self.read(&reader, key, limits) }
    }

    mutating func read(
        _ reader: inout JSONReader, _ key: JSONKey, _ limits: RequestLimits
    ) throws(WireError) {
        switch key {
        case "zoneID": zoneID = try ZoneIDDictionary(&reader)
        case "syncToken": syncToken = try reader.readString()
        case "resultsLimit": resultsLimit = try reader.readResultsLimit(limits)
        case "desiredKeys": desiredKeys = try DesiredKeys(&reader)
        case "desiredRecordTypes": desiredRecordTypes = try reader.readNames(.desiredRecordTypes)
        case "reverse": reverse = try reader.readBool()
        case "numbersAsStrings", "numberAsStrings": numbersAsStrings = try reader.readBool()
        default: break
        }
    }

    func query(of zoneID: ZoneIDDictionary, defaults: ZoneChangesOptions) -> ZoneChangesQuery {
        ZoneChangesQuery(
            zoneID: zoneID, syncToken: syncToken ?? defaults.syncToken,
            resultsLimit: resultsLimit ?? defaults.resultsLimit, desiredKeys: desiredKeys ?? defaults.desiredKeys,
            desiredRecordTypes: desiredRecordTypes ?? defaults.desiredRecordTypes,
            reverse: reverse ?? defaults.reverse ?? false,
            numbersAsStrings: numbersAsStrings ?? defaults.numbersAsStrings ?? false)
    }
}
