/// Limits of a request that ``RequestList`` does not have. Its size is limited before it is parsed.
public struct RequestLimits: Sendable {
    public var json: JSONLimits
    /// Maximum number of results per page: larger requests are reduced to this.
    public var results: Int
    /// Maximum number of bytes of a program's own token.
    public var clientTokenBytes: Int
    /// Maximum number of elements of ``RequestList/operations``.
    public var operations: Int

    public init(
        json: JSONLimits = JSONLimits(), results: Int = 200, clientTokenBytes: Int = 1_024,
        operations: Int = RequestList.operations.limit
    ) {
        self.json = json
        self.results = results
        self.clientTokenBytes = clientTokenBytes
        self.operations = operations
    }

    public static let standard = RequestLimits()
    /// For clients that send `X-Nephos-Client: 1`. An operation of Apple's framework has up to 400 changes; in two
    /// requests, those of one zone would not be made together.
    public static let ofNephosClients = RequestLimits(operations: 400)
}

extension JSONReader {
    /// Reads a whole request: one object, in which null counts as absent. An empty body is an empty object.
    static func readRequest(
        _ json: ArraySlice<UInt8>, _ limits: RequestLimits,
        _ member: (inout JSONReader, JSONKey) throws(WireError) -> Void
    ) throws(WireError) {
        var reader = try JSONReader(json, limits: limits.json)
        if reader.position == json.endIndex { return }
        guard reader.next == UInt8(ascii: "{") else {
            throw WireError("the body must be a JSON object, such as {}: expected an object", offset: reader.offset)
        }
        try reader.readMembers(member)
        try reader.finish()
    }

    /// Reads an object in which null counts as absent.
    mutating func readMembers(
        _ member: (inout JSONReader, JSONKey) throws(WireError) -> Void
    ) throws(WireError) {
        try readObject { reader, key throws(WireError) in
            if try reader.readNull() { return }
            try member(&reader, key)
        }
    }

    /// Reads a text that is a case of `Kind`.
    ///
    /// - Parameter what: The name used in an error.
    mutating func readCase<Kind: RawRepresentable<String> & CaseIterable>(
        _ what: StaticString
    ) throws(WireError) -> Kind {
        let start = offset
        let text = try readString()
        guard let kind = Kind(rawValue: String(decoding: text, as: UTF8.self)) else {
            let cases = Kind.allCases.map(\.rawValue).joined(separator: ", ")
            throw WireError("unknown \(what) '\(WireError.excerpt(text))': use one of \(cases)", offset: start)
        }
        return kind
    }

    /// Reads bytes as base64, at most `limit` of them.
    mutating func readBase64(limit: Int) throws(WireError) -> [UInt8] {
        let start = offset
        let text = try readString()
        // 4 bytes of base64 encode 3. Do not decode what is certainly too long.
        guard text.count <= (limit + 2) / 3 * 4 else {
            throw WireError(
                "\(text.count) bytes of base64 exceed the limit of \(limit) bytes", offset: start)
        }
        guard let bytes = Base64.bytes(of: text) else { throw WireError("this is not valid base64", offset: start) }
        guard bytes.count <= limit else {
            throw WireError("\(bytes.count) bytes exceed the limit of \(limit)", offset: start)
        }
        return Array(bytes)
    }

    /// Reads `resultsLimit`: a number, or a string that contains one, at least 1.
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
        guard value > 0 else {
            throw WireError("resultsLimit must be from 1 to \(limits.results), not \(value)", offset: start)
        }
        return Int(min(value, Int64(limits.results)))
    }
}

extension WireError {
    static func missing(_ key: StaticString) -> WireError { WireError("the key '\(key)' is missing") }
}
