/// A value of a flag, and the reason for it.
public struct FlagDetails<Value: Sendable>: Sendable {
    /// The flag's ID.
    public var id: String
    /// The current value.
    public var value: Value
    /// The name of the value at the server; nil if the value is not the server's.
    public var variant: String?
    /// The reason for this value.
    public var reason: FlagReason
    /// Why the default applies, if ``reason`` is ``FlagReason/error``.
    public var error: FlagError?
    /// Further data from the server: the matching rule, the bucket of a split.
    public var metadata: [String: FlagValue] = [:]

    func map<Other>(_ body: (Value) -> Other) -> FlagDetails<Other> {
        FlagDetails<Other>(
            id: id, value: body(value), variant: variant, reason: reason, error: error, metadata: metadata)
    }
}

/// Why a flag has its value: OpenFeature's reasons, and one of our own.
public struct FlagReason: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    /// The reason as sent on the wire.
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }
    public var description: String { rawValue }

    /// The flag has no rules.
    public static let `static` = FlagReason(rawValue: "STATIC")
    /// None of its rules matches.
    public static let `default` = FlagReason(rawValue: "DEFAULT")
    /// A rule matches.
    public static let targetingMatch = FlagReason(rawValue: "TARGETING_MATCH")
    /// A rule with a percentage split matches.
    public static let split = FlagReason(rawValue: "SPLIT")
    /// The flag is off, or a prerequisite flag does not have the required value.
    public static let disabled = FlagReason(rawValue: "DISABLED")
    /// The app's default applies because there is no value; an error gives the cause.
    public static let error = FlagReason(rawValue: "ERROR")
    /// The value was set on this device.
    public static let override = FlagReason(rawValue: "OVERRIDE")
}

/// Why a flag has no value.
public struct FlagError: Error, Sendable, Hashable, CustomStringConvertible {
    /// One of OpenFeature's error codes: `PROVIDER_NOT_READY`, `FLAG_NOT_FOUND`, `PARSE_ERROR`, `TYPE_MISMATCH`,
    /// `TARGETING_KEY_MISSING`, `INVALID_CONTEXT`, `GENERAL`.
    public var code: String
    /// A message for people.
    public var message: String

    public init(code: String, message: String) { (self.code, self.message) = (code, message) }
    public var description: String { "\(code): \(message)" }

    /// No value was fetched yet, and none is saved.
    static let notReady = FlagError(code: "PROVIDER_NOT_READY", message: "nothing has been fetched yet")
    static let notFound = FlagError(code: "FLAG_NOT_FOUND", message: "there is no such flag")
    static func mismatch(_ type: Any.Type) -> FlagError {
        FlagError(code: "TYPE_MISMATCH", message: "the value is not of type \(type)")
    }
}
