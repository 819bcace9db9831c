/// The lists of a request, by key, and the maximum number of elements of each (docs/protocol.md, J13): the only table of them.
/// Every list of a request is read through its row here.
///
/// Elements are counted while they are read, so that a list that is too long costs no memory. Lists inside `fields` are not
/// included: they are limited by the size of their record (``FieldsInput/patch(recordType:zone:bytesMax:known:)``).
public enum RequestList: String, Sendable, CaseIterable {
    // The items of a request, each with its own result. Some clients may send more operations
    // (``RequestLimits/operations``).
    case operations, records, zones, subscriptions, tokens, assets, shortGUIDs
    /// Of a share.
    case participants
    // Selections for the response.
    case desiredKeys, desiredRecordTypes
    // Queries.
    case filterBy, sortBy
    /// The values of a filter, for a comparator that takes a list.
    case value
    // Subscriptions.
    case firesOn, alertLocalizationArgs, titleLocalizationArgs, subtitleLocalizationArgs, additionalFields

    public var limit: Int {
        switch self {
        case .operations, .records, .zones, .subscriptions, .tokens, .assets, .shortGUIDs: 200
        // Twice as many as a share can have.
        case .participants: 200
        // Nearly twice the number of all fields of a record, including its system fields.
        case .desiredKeys: 1_000
        // All types of a schema.
        case .desiredRecordTypes: 500
        case .filterBy: 20
        case .sortBy: 8
        case .value: 250
        // All values that exist.
        case .firesOn: 3
        case .alertLocalizationArgs, .titleLocalizationArgs, .subtitleLocalizationArgs, .additionalFields: 16
        }
    }
}

extension JSONReader {
    /// Reads a list of a request.
    ///
    /// - Parameter limit: nil for that of the table.
    /// - Throws: `WireError` at the first element beyond the limit, without parsing it.
    mutating func readList<Item>(
        _ list: RequestList, limit: Int? = nil, _ item: (inout JSONReader) throws(WireError) -> Item
    ) throws(WireError) -> [Item] {
        var items: [Item] = []
        try readEach(of: list, limit: limit) { reader throws(WireError) in items.append(try item(&reader)) }
        return items
    }

    /// Reads a list of a request, or a single element as a list of one.
    mutating func readOneOrMore<Item>(
        _ list: RequestList, _ item: (inout JSONReader) throws(WireError) -> Item
    ) throws(WireError) -> [Item] {
        try kind == .array ? try readList(list, item) : [try item(&self)]
    }

    /// Reads a list of names; nil for null.
    mutating func readNames(_ list: RequestList) throws(WireError) -> [Name]? {
        if try readNull() { return nil }
        return try readList(list) { reader throws(WireError) in try reader.readName() }
    }

    /// Calls `element` for each element of a list of a request.
    mutating func readEach(
        of list: RequestList, limit: Int? = nil, _ element: (inout JSONReader) throws(WireError) -> Void
    ) throws(WireError) {
        let limit = limit ?? list.limit
        try readArray { reader, index throws(WireError) in
            guard index < limit else {
                throw WireError(
                    "'\(list.rawValue)' can have at most \(limit) elements", offset: reader.offset, isLimit: true)
            }
            try element(&reader)
        }
    }
}
