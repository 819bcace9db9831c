/// The body of `subscriptions/lookup`.
public struct SubscriptionsLookupRequest: Sendable {
    public var subscriptionIDs: [Name] = []

    public init(json: ArraySlice<UInt8>, limits: RequestLimits = .standard) throws(WireError) {
        var found: [Name]?
        try JSONReader.readRequest(json, limits) { reader, key throws(WireError) in
            guard case "subscriptions" = key else { return }
            var names: [Name] = []
            try reader.readItems(limit: limits.items) { reader throws(WireError) in
                var name: Name?
                try reader.readMembers { reader, key throws(WireError) in
                    if case "subscriptionID" = key { name = try reader.readName() }
                }
                guard let name else { throw WireError.missing("subscriptionID") }
                names.append(name)
            }
            found = names
        }
        guard let found else { throw WireError.missing("subscriptions") }
        subscriptionIDs = found
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
        var found: [Operation]?
        try JSONReader.readRequest(json, limits) { reader, key throws(WireError) in
            guard case "operations" = key else { return }
            var operations: [Operation] = []
            try reader.readItems(limit: limits.items) { reader throws(WireError) in
                operations.append(try Operation(&reader, limits))
            }
            found = operations
        }
        guard let found else { throw WireError.missing("operations") }
        operations = found
    }
}

extension SubscriptionsModifyRequest.Operation {
    fileprivate init(_ reader: inout JSONReader, _ limits: RequestLimits) throws(WireError) {
        var kind: Kind?
        var subscription: SubscriptionDictionary?
        try reader.readMembers { reader, key throws(WireError) in
            switch key {
            case "operationType":
                let start = reader.offset
                let text = try reader.readString()
                kind = Kind(rawValue: String(decoding: text, as: UTF8.self))
                if kind == nil {
                    throw WireError("unknown operationType '\(WireError.excerpt(text))'", offset: start)
                }
            case "subscription": subscription = try SubscriptionDictionary(&reader, limits)
            default: break
            }
        }
        guard let kind else { throw WireError.missing("operationType") }
        guard let subscription else { throw WireError.missing("subscription") }
        self.init(kind: kind, subscription: subscription)
    }
}
