/// The body of `records/resolve` and `records/accept`: shares by their addresses.
public struct SharesRequest: Sendable {
    public struct Item: Sendable {
        /// The address, or a URL that ends with it.
        public var value: Name
        public var shouldFetchRootRecord = false
        /// The fields of the root in the response; nil for all.
        public var rootRecordDesiredKeys: DesiredKeys?
    }

    public var items: [Item] = []

    public init(json: ArraySlice<UInt8>, limits: RequestLimits = .standard) throws(WireError) {
        var items: [Item]?
        try JSONReader.readRequest(json, limits) { reader, key throws(WireError) in
            guard case "shortGUIDs" = key else { return }
            items = try reader.readList(.shortGUIDs) { reader throws(WireError) in try Item(&reader) }
        }
        guard let items else { throw WireError.missing("shortGUIDs") }
        self.items = items
    }
}

extension SharesRequest.Item {
    /// Some clients send only the text.
    fileprivate init(_ reader: inout JSONReader) throws(WireError) {
        if try reader.kind == .string {
            self.init(value: try reader.readName())
            return
        }
        var value: Name?
        var (fetches, keys) = (false, nil as DesiredKeys?)
        try reader.readMembers { reader, key throws(WireError) in
            switch key {
            case "value": value = try reader.readName()
            case "shouldFetchRootRecord": fetches = try reader.readBool()
            case "rootRecordDesiredKeys": keys = try DesiredKeys(&reader)
            default: break
            }
        }
        guard let value else { throw WireError.missing("value") }
        self.init(value: value, shouldFetchRootRecord: fetches, rootRecordDesiredKeys: keys)
    }
}
