/// The body of `assets/upload`: the fields for which files will be uploaded.
public struct AssetsUploadRequest: Sendable {
    public struct Token: Sendable {
        /// nil if the record has no name yet.
        public var recordName: Name?
        /// nil if the client omits it, as for records that it updates.
        public var recordType: Name?
        public var fieldName: Name
    }

    public var tokens: [Token] = []
    /// nil for the default zone.
    public var zoneID: ZoneIDDictionary?

    public init(json: ArraySlice<UInt8>, limits: RequestLimits = .standard) throws(WireError) {
        var tokens: [Token]?
        try JSONReader.readRequest(json, limits) { reader, key throws(WireError) in
            switch key {
            case "tokens":
                tokens = try reader.readList(.tokens) { reader throws(WireError) in try Token(&reader) }
            case "zoneID": self.zoneID = try ZoneIDDictionary(&reader)
            default: break
            }
        }
        guard let tokens else { throw WireError.missing("tokens") }
        self.tokens = tokens
    }
}

extension AssetsUploadRequest.Token {
    fileprivate init(_ reader: inout JSONReader) throws(WireError) {
        var (recordName, recordType, fieldName): (Name?, Name?, Name?) = (nil, nil, nil)
        try reader.readMembers { reader, key throws(WireError) in
            switch key {
            case "recordName": recordName = try reader.readName()
            case "recordType": recordType = try reader.readName()
            case "fieldName": fieldName = try reader.readName()
            default: break
            }
        }
        guard let fieldName else { throw WireError.missing("fieldName") }
        self.init(recordName: recordName, recordType: recordType, fieldName: fieldName)
    }
}

/// The body of `assets/rereference`: files of records that other records are to contain as well.
public struct AssetsRereferenceRequest: Sendable {
    public struct Source: Sendable {
        public var recordName: Name
        public var fieldName: Name
        /// Identifies an asset in a list by its checksum; nil for the only one, or the first.
        public var fileChecksum: [UInt8]?
    }

    public var assets: [Source] = []
    /// The zone of the records; nil for the default zone.
    public var zoneID: ZoneIDDictionary?
    /// The zone of the new records; nil for the same zone.
    public var targetZoneID: ZoneIDDictionary?

    public init(json: ArraySlice<UInt8>, limits: RequestLimits = .standard) throws(WireError) {
        var assets: [Source]?
        try JSONReader.readRequest(json, limits) { reader, key throws(WireError) in
            switch key {
            case "assets":
                assets = try reader.readList(.assets) { reader throws(WireError) in try Source(&reader) }
            case "zoneID": self.zoneID = try ZoneIDDictionary(&reader)
            case "targetZoneID": self.targetZoneID = try ZoneIDDictionary(&reader)
            default: break
            }
        }
        guard let assets else { throw WireError.missing("assets") }
        self.assets = assets
    }
}

extension AssetsRereferenceRequest.Source {
    fileprivate init(_ reader: inout JSONReader) throws(WireError) {
        var (recordName, fieldName): (Name?, Name?) = (nil, nil)
        var fileChecksum: [UInt8]?
        try reader.readMembers { reader, key throws(WireError) in
            switch key {
            case "recordName": recordName = try reader.readName()
            case "fieldName": fieldName = try reader.readName()
            case "fileChecksum": fileChecksum = Array(try reader.readString())
            default: break
            }
        }
        guard let recordName else { throw WireError.missing("recordName") }
        guard let fieldName else { throw WireError.missing("fieldName") }
        self.init(recordName: recordName, fieldName: fieldName, fileChecksum: fileChecksum)
    }
}
