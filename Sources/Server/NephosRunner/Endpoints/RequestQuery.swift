import CloudKitWire

/// The parameters that the server uses; all others are ignored.
package struct RequestQuery: Sendable {
    package var apiToken: Substring?
    /// `ckWebAuthToken`, or `ckSession` as CloudKit JS 1 sends it.
    package var webAuthToken: Substring?
    /// At most 255 bytes without control characters; empty for any other value.
    package var clientID = ""
    package var wantsSyncToken = false
    /// `tok` of a `webcourierURL`.
    package var courierToken: Substring?
    /// Replaces the header `Last-Event-ID`, which browsers send only when they reconnect.
    package var lastEventID: Substring?

    /// - Parameter query: The part of the URL after the question mark.
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

    /// The first value of one parameter that CloudKit's endpoints do not have; nil if it is missing or empty.
    package static func value(of name: StaticString, in target: String) -> String? {
        var first: String?
        forEachValue(of: name, in: target) { value in
            first = value.map(String.init)
            return false
        }
        return first
    }

    /// All values of a parameter that may occur more than once, without empty ones.
    package static func values(of name: StaticString, in target: String) -> [String] {
        var values: [String] = []
        forEachValue(of: name, in: target) { value in
            if let value { values.append(String(value)) }
            return true
        }
        return values
    }

    /// Whether some value is not percent-encoded UTF-8, and therefore counts as missing.
    package static func hasUnreadable(in target: String) -> Bool {
        RequestParameters(target).hasUnreadable
    }

    /// - Parameter body: Returns whether to continue.
    private static func forEachValue(of name: StaticString, in target: String, _ body: (Substring?) -> Bool) {
        forEachPair(in: target) { key, value in
            guard name.withUTF8Buffer({ key.elementsEqual($0) }) else { return true }
            return body(text(value))
        }
    }

    /// - Parameter body: Returns whether to continue.
    fileprivate static func forEachPair(
        in target: String, _ body: (_ name: Substring.UTF8View, _ value: Substring.UTF8View) -> Bool
    ) {
        var rest = Substring(target).utf8
        guard let mark = rest.place(of: UInt8(ascii: "?")) else { return }
        rest = rest[rest.index(after: mark)...]
        while !rest.isEmpty {
            let end = rest.place(of: UInt8(ascii: "&")) ?? rest.endIndex
            let pair = rest[..<end]
            rest = end == rest.endIndex ? rest[end...] : rest[rest.index(after: end)...]
            guard let equals = pair.place(of: UInt8(ascii: "=")) else { continue }
            guard body(pair[..<equals], pair[pair.index(after: equals)...]) else { return }
        }
    }

    private static func clientID(_ value: Substring.UTF8View) -> String {
        let id = text(value).map(String.init) ?? ""
        return PushTokenRequest.isClientID(Name(id)) ? id : ""
    }

    /// nil for an empty value. A value without percent signs is not copied.
    fileprivate static func text(_ value: Substring.UTF8View) -> Substring? {
        guard !value.isEmpty else { return nil }
        guard value.place(of: UInt8(ascii: "%")) != nil else { return Substring(value) }
        guard let bytes = PercentCoding.decode(value) else { return nil }
        return String(validating: bytes, as: UTF8.self).map { $0[...] }
    }
}

/// All parameters of a URL, for callers that read many.
package struct RequestParameters: Sendable {
    private var values: [(name: Substring, value: Substring)] = []
    /// Whether some value is not percent-encoded UTF-8, and therefore counts as missing.
    package private(set) var hasUnreadable = false

    package init(_ target: String) {
        RequestQuery.forEachPair(in: target) { name, value in
            guard !value.isEmpty else { return true }
            if let text = RequestQuery.text(value) {
                values.append((Substring(name), text))
            } else {
                hasUnreadable = true
            }
            return true
        }
    }

    /// The first value; nil if it is missing or empty.
    package func value(of name: StaticString) -> String? {
        values.first { $0.name.isName(name) }.map { String($0.value) }
    }

    /// All values, without empty ones.
    package func values(of name: StaticString) -> [String] {
        values.filter { $0.name.isName(name) }.map { String($0.value) }
    }
}

extension Substring {
    fileprivate func isName(_ name: StaticString) -> Bool {
        utf8.count == name.utf8CodeUnitCount && name.withUTF8Buffer { utf8.elementsEqual($0) }
    }
}

extension TokenPair {
    /// nil if there is no API token.
    init?(_ query: RequestQuery) {
        guard let api = query.apiToken else { return nil }
        self.init(api: api, web: query.webAuthToken ?? "")
    }
}
