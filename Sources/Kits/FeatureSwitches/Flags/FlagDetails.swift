/// A value of a flag, and why it is that.
public struct FlagDetails<Value: Sendable>: Sendable {
    /// The flag's id.
    public var id: String
    /// The value that holds.
    public var value: Value
    /// The name of the value at the server; nil where the value is not from there.
    public var variant: String?
    /// Why it is this value.
    public var reason: FlagReason
    /// Why the default holds, where ``reason`` is ``FlagReason/error``.
    public var error: FlagError?
    /// What else the server said: which rule fits, the bucket of a split.
    public var metadata: [String: FlagValue] = [:]

    func map<Other>(_ body: (Value) -> Other) -> FlagDetails<Other> {
        FlagDetails<Other>(
            id: id, value: body(value), variant: variant, reason: reason, error: error, metadata: metadata)
    }
}

/// Why a flag has its value: OpenFeature's words, and one of ours.
public struct FlagReason: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    /// The word as it stands on the wire.
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }
    public var description: String { rawValue }

    /// The flag has no rules.
    public static let `static` = FlagReason(rawValue: "STATIC")
    /// None of its rules fits.
    public static let `default` = FlagReason(rawValue: "DEFAULT")
    /// A rule fits.
    public static let targetingMatch = FlagReason(rawValue: "TARGETING_MATCH")
    /// A rule fits that draws.
    public static let split = FlagReason(rawValue: "SPLIT")
    /// The flag is off, or another that it needs is not served so.
    public static let disabled = FlagReason(rawValue: "DISABLED")
    /// The app's default holds, since there is no value; an error says why.
    public static let error = FlagReason(rawValue: "ERROR")
    /// It was set here, on this device.
    public static let override = FlagReason(rawValue: "OVERRIDE")
}

/// Why a flag has no value.
public struct FlagError: Error, Sendable, Hashable, CustomStringConvertible {
    /// One of OpenFeature's words: `PROVIDER_NOT_READY`, `FLAG_NOT_FOUND`, `PARSE_ERROR`, `TYPE_MISMATCH`, `TARGETING_KEY_MISSING`,
    /// `INVALID_CONTEXT`, `GENERAL`.
    public var code: String
    /// For people.
    public var message: String

    public init(code: String, message: String) { (self.code, self.message) = (code, message) }
    public var description: String { "\(code): \(message)" }

    /// Nothing was fetched yet, and nothing kept.
    static let notReady = FlagError(code: "PROVIDER_NOT_READY", message: "nothing was fetched yet")
    static let notFound = FlagError(code: "FLAG_NOT_FOUND", message: "there is no such flag")
    static func mismatch(_ type: Any.Type) -> FlagError {
        FlagError(code: "TYPE_MISMATCH", message: "the value is no \(type)")
    }
}
