/// The body of `zones/lookup`: bare zone IDs, or zone dictionaries that contain them.
public struct ZonesLookupRequest: Sendable {
    public var zones: [ZoneIDDictionary] = []

    public init(json: ArraySlice<UInt8>, limits: RequestLimits = .standard) throws(WireError) {
        var zones: [ZoneIDDictionary]?
        try JSONReader.readRequest(json, limits) { reader, key throws(WireError) in
            guard case "zones" = key else { return }
            zones = try reader.readList(.zones) { reader throws(WireError) in
                try ZoneIDDictionary(wrapped: &reader)
            }
        }
        guard let zones else { throw WireError.missing("zones") }
        self.zones = zones
    }
}

/// The body of `zones/modify`.
public struct ZonesModifyRequest: Sendable {
    public struct Operation: Sendable {
        public enum Kind: String, Sendable, CaseIterable { case create, delete }

        public var kind: Kind
        public var zoneID: ZoneIDDictionary
    }

    public var operations: [Operation] = []

    public init(json: ArraySlice<UInt8>, limits: RequestLimits = .standard) throws(WireError) {
        var operations: [Operation]?
        try JSONReader.readRequest(json, limits) { reader, key throws(WireError) in
            guard case "operations" = key else { return }
            operations = try reader.readList(.operations, limit: limits.operations) { reader throws(WireError) in
                try Operation(&reader)
            }
        }
        guard let operations else { throw WireError.missing("operations") }
        self.operations = operations
    }
}

/// The body of `zones/changes` (deprecated) and of `changes/database`, which differ only in their keys.
public struct DatabaseChangesRequest: Sendable {
    /// `syncToken` or `metaSyncToken`; nil starts from the beginning, an empty string is an empty token.
    public var syncToken: ArraySlice<UInt8>?
    /// 1 to 200; nil if not specified.
    public var resultsLimit: Int?

    public init(json: ArraySlice<UInt8>, limits: RequestLimits = .standard) throws(WireError) {
        try JSONReader.readRequest(json, limits) { reader, key throws(WireError) in
            switch key {
            case "metaSyncToken": self.syncToken = try reader.readString()
            case "syncToken":
                let token = try reader.readString()
                self.syncToken = self.syncToken ?? token
            case "resultsLimit": self.resultsLimit = try reader.readResultsLimit(limits)
            default: break
            }
        }
    }
}

/// The body of `zones/changes`.
public typealias ZonesChangesRequest = DatabaseChangesRequest

extension ZoneIDDictionary {
    /// Reads a zone ID, or a zone dictionary that contains it under `zoneID`.
    fileprivate init(wrapped reader: inout JSONReader) throws(WireError) {
        var inner: ZoneIDDictionary?
        var probe = reader
        try probe.readMembers { reader, key throws(WireError) in
            if case "zoneID" = key { inner = try ZoneIDDictionary(&reader) }
        }
        if let inner {
            self = inner
            reader = probe
        } else {
            try self.init(&reader)
        }
    }
}

extension ZonesModifyRequest.Operation {
    fileprivate init(_ reader: inout JSONReader) throws(WireError) {
        var kind: Kind?
        var zoneID: ZoneIDDictionary?
        try reader.readMembers { reader, key throws(WireError) in
            switch key {
            case "operationType": kind = try reader.readCase("operationType")
            case "zone": zoneID = try ZoneIDDictionary(wrapped: &reader)
            default: break
            }
        }
        guard let kind else { throw WireError.missing("operationType") }
        guard let zoneID else { throw WireError.missing("zone") }
        self.init(kind: kind, zoneID: zoneID)
    }
}
