import CloudKitWire

/// The parameters that mean something to us; all others are ignored.
package struct RequestQuery: Sendable {
    package var apiToken: Substring?
    /// `ckWebAuthToken`, or `ckSession` as CloudKit JS 1 sends it.
    package var webAuthToken: Substring?
    /// At most 255 bytes, none of them a control character; empty for any other.
    package var clientID = ""
    package var wantsSyncToken = false
    /// `tok` of a `webcourierURL`.
    package var courierToken: Substring?
    /// In place of the header `Last-Event-ID`, which browsers send only once they have been connected.
    package var lastEventID: Substring?

    /// - Parameter query: What stands behind the question mark.
    init(_ query: Substring) {
        var session: Substring?
        var rest = query.utf8
        while !rest.isEmpty {
            let end = rest.place(of: UInt8(ascii: "&")) ?? rest.endIndex
            let pair = rest[..<end]
            rest = end == rest.endIndex ? rest[end...] : rest[rest.index(after: end)...]
            guard let equals = pair.place(of: UInt8(ascii: "=")) else { continue }
            let value = pair[pair.index(after: equals)...]
            switch String(decoding: pair[..<equals], as: UTF8.self) {
            case "ckAPIToken": apiToken = Self.text(value)
            case "ckWebAuthToken": webAuthToken = Self.text(value)
            case "ckSession": session = Self.text(value)
            case "clientId": clientID = Self.clientID(value)
            case "tok": courierToken = Self.text(value)
            case "lastEventId": lastEventID = Self.text(value)
            case "getCurrentSyncToken": wantsSyncToken = Self.text(value) == "true"
            default: break
            }
        }
        webAuthToken = webAuthToken ?? session
    }

    /// The first value of one parameter that CloudKit's endpoints do not have; nil where it is missing or empty.
    package static func value(of name: StaticString, in target: String) -> String? {
        var first: String?
        forEachValue(of: name, in: target) { value in
            first = value.map(String.init)
            return false
        }
        return first
    }

    /// All values of one parameter that may be there more than once, without empty ones.
    package static func values(of name: StaticString, in target: String) -> [String] {
        var values: [String] = []
        forEachValue(of: name, in: target) { value in
            if let value { values.append(String(value)) }
            return true
        }
        return values
    }

    /// Whether some value is no percent-encoded UTF-8, and so counts as missing.
    package static func hasUnreadable(in target: String) -> Bool {
        guard let mark = target.utf8.firstIndex(of: UInt8(ascii: "?")) else { return false }
        let pairs = target.utf8[target.utf8.index(after: mark)...].split(separator: UInt8(ascii: "&"))
        return pairs.contains { pair in
            guard let equals = pair.firstIndex(of: UInt8(ascii: "=")) else { return false }
            let value = Substring(pair[pair.index(after: equals)...]).utf8
            return !value.isEmpty && text(value) == nil
        }
    }

    /// - Parameter body: Answers whether to go on.
    private static func forEachValue(of name: StaticString, in target: String, _ body: (Substring?) -> Bool) {
        var rest = Substring(target).utf8
        guard let mark = rest.place(of: UInt8(ascii: "?")) else { return }
        rest = rest[rest.index(after: mark)...]
        while !rest.isEmpty {
            let end = rest.place(of: UInt8(ascii: "&")) ?? rest.endIndex
            let pair = rest[..<end]
            rest = end == rest.endIndex ? rest[end...] : rest[rest.index(after: end)...]
            guard let equals = pair.place(of: UInt8(ascii: "=")),
                name.withUTF8Buffer({ pair[..<equals].elementsEqual($0) })
            else { continue }
            guard body(text(pair[pair.index(after: equals)...])) else { return }
        }
    }

    private static func clientID(_ value: Substring.UTF8View) -> String {
        let id = text(value).map(String.init) ?? ""
        return PushTokenRequest.isClientID(Name(id)) ? id : ""
    }

    /// An empty value is no value. One without percent signs is not copied.
    private static func text(_ value: Substring.UTF8View) -> Substring? {
        guard !value.isEmpty else { return nil }
        guard value.place(of: UInt8(ascii: "%")) != nil else { return Substring(value) }
        guard let bytes = PercentCoding.decode(value) else { return nil }
        return String(validating: bytes, as: UTF8.self).map { $0[...] }
    }
}

extension TokenPair {
    /// nil where there is no API token.
    init?(_ query: RequestQuery) {
        guard let api = query.apiToken else { return nil }
        self.init(api: api, web: query.webAuthToken ?? "")
    }
}
