/// The body of `subscriptions/lookup`.
public struct SubscriptionsLookupRequest: Sendable {
    public var subscriptionIDs: [Name] = []

    public init(json: ArraySlice<UInt8>, limits: RequestLimits = .standard) throws(WireError) {
        var names: [Name]?
        try JSONReader.readRequest(json, limits) { reader, key throws(WireError) in
            guard case "subscriptions" = key else { return }
            names = try reader.readList(.subscriptions) { reader throws(WireError) in
                guard let name = try SubscriptionDictionary(&reader).subscriptionID else {
                    throw WireError.missing("subscriptionID")
                }
                return name
            }
        }
        guard let names else { throw WireError.missing("subscriptions") }
        subscriptionIDs = names
    }
}

/// The body of `subscriptions/modify`.
public struct SubscriptionsModifyRequest: Sendable {
    public struct Operation: Sendable {
        public enum Kind: String, Sendable, CaseIterable { case create, update, delete }

        public var kind: Kind
        public var subscription: SubscriptionDictionary
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

extension SubscriptionsModifyRequest.Operation {
    fileprivate init(_ reader: inout JSONReader) throws(WireError) {
        var kind: Kind?
        var subscription: SubscriptionDictionary?
        try reader.readMembers { reader, key throws(WireError) in
            switch key {
            case "operationType": kind = try reader.readCase("operationType")
            case "subscription": subscription = try SubscriptionDictionary(&reader)
            default: break
            }
        }
        guard let kind else { throw WireError.missing("operationType") }
        guard let subscription else { throw WireError.missing("subscription") }
        self.init(kind: kind, subscription: subscription)
    }
}
