/// How much a request may hold. Its size is limited before it is read.
public struct RequestLimits: Sendable {
    public var json: JSONLimits
    /// Operations, look-ups or zones of one request.
    public var items: Int
    /// Results of one page: larger wishes count as this many.
    public var results: Int
    public var filters: Int
    public var sorts: Int
    /// Bytes of a program's own in a request.
    public var clientTokenBytes: Int

    public init(
        json: JSONLimits = JSONLimits(), items: Int = 200, results: Int = 200, filters: Int = 20, sorts: Int = 8,
        clientTokenBytes: Int = 1_024
    ) {
        self.json = json
        self.items = items
        self.results = results
        self.filters = filters
        self.sorts = sorts
        self.clientTokenBytes = clientTokenBytes
    }

    public static let standard = RequestLimits()
}

extension JSONReader {
    /// Reads a whole request: one object, whose nulls count as absent. An empty body is an empty object.
    static func readRequest(
        _ json: ArraySlice<UInt8>, _ limits: RequestLimits,
        _ member: (inout JSONReader, JSONKey) throws(WireError) -> Void
    ) throws(WireError) {
        var reader = try JSONReader(json, limits: limits.json)
        if reader.position == json.endIndex { return }
        try reader.readMembers(member)
        try reader.finish()
    }

    /// Reads an object in which null is the same as absent.
    mutating func readMembers(
        _ member: (inout JSONReader, JSONKey) throws(WireError) -> Void
    ) throws(WireError) {
        try readObject { reader, key throws(WireError) in
            if try reader.readNull() { return }
            try member(&reader, key)
        }
    }

    /// Reads an array of strings; nil for null.
    mutating func readNames() throws(WireError) -> [Name]? {
        if try readNull() { return nil }
        var names: [Name] = []
        try readArray { reader, _ throws(WireError) in names.append(try reader.readName()) }
        return names
    }

    /// Reads an array of at most `limit` elements.
    mutating func readItems(
        limit: Int, _ element: (inout JSONReader) throws(WireError) -> Void
    ) throws(WireError) {
        try readArray { reader, index throws(WireError) in
            guard index < limit else { throw WireError("more than \(limit) items in one request") }
            try element(&reader)
        }
    }

    /// Reads an array of at most `limit` elements into a list.
    mutating func readList<Item>(
        limit: Int, _ item: (inout JSONReader) throws(WireError) -> Item
    ) throws(WireError) -> [Item] {
        var items: [Item] = []
        try readItems(limit: limit) { reader throws(WireError) in items.append(try item(&reader)) }
        return items
    }

    /// Reads a text that is a case of `Kind`.
    ///
    /// - Parameter what: What an error calls it.
    mutating func readCase<Kind: RawRepresentable<String>>(_ what: StaticString) throws(WireError) -> Kind {
        let start = offset
        let text = try readString()
        guard let kind = Kind(rawValue: String(decoding: text, as: UTF8.self)) else {
            throw WireError("unknown \(what) '\(WireError.excerpt(text))'", offset: start)
        }
        return kind
    }

    /// Reads an array, or one element that stands for an array of itself.
    mutating func readOneOrMore(
        limit: Int, _ element: (inout JSONReader) throws(WireError) -> Void
    ) throws(WireError) {
        if try kind == .array { try readItems(limit: limit, element) } else { try element(&self) }
    }

    /// Reads bytes as base64, at most `limit` of them.
    mutating func readBase64(limit: Int) throws(WireError) -> [UInt8] {
        let start = offset
        guard let bytes = Base64.bytes(of: try readString()) else {
            throw WireError("this is no base64", offset: start)
        }
        guard bytes.count <= limit else {
            throw WireError("\(bytes.count) bytes are more than the \(limit) that are kept", offset: start)
        }
        return Array(bytes)
    }

    /// Reads `resultsLimit`: a number, or a string with one in it, at least 1.
    mutating func readResultsLimit(_ limits: RequestLimits) throws(WireError) -> Int {
        let start = offset
        let value: Int64
        if try kind == .string {
            var inner = JSONReader(checked: try readString())
            value = try inner.readInt64()
            try inner.finish()
        } else {
            value = try readInt64()
        }
        guard value > 0 else { throw WireError("resultsLimit must be 1 to \(limits.results)", offset: start) }
        return Int(min(value, Int64(limits.results)))
    }
}

extension WireError {
    static func missing(_ key: StaticString) -> WireError { WireError("the key '\(key)' is missing") }
}
