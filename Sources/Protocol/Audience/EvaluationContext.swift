/// What something is evaluated for, and when. The evaluating code fills in what it knows; a condition about a missing value does
/// not match.
///
/// `person`, `roles` and `facts` are proved: on a server they are derived from the caller's credentials, never from claims.
/// Everything else is claimed by the app: it selects and protects nothing.
public struct EvaluationContext: Sendable, Equatable {
    /// The key for percentage splits: the name of the user's record, or an identifier of a device. Never empty.
    public var targetingKey: String?
    /// The name of the signed-in user's record.
    public var person: String?
    /// Security roles of the user or the key.
    public var roles: [String] = []
    /// Facts signed by an issuer that the container trusts.
    public var facts: [String: Scalar] = [:]
    public var locale: LanguageTag?
    /// In lower case: `ios`, `web`.
    public internal(set) var platform: String?
    public var systemVersion: Version?
    public var appVersion: Version?
    /// In lower case: `iphone`, `ipad`.
    public internal(set) var device: String?
    /// As CLDR codes it today, in upper case: `MX`.
    public internal(set) var country: String?
    /// nil if it is not known.
    public var timeZone: ClientZone?
    /// Further claims of the app.
    public var claims: [String: Scalar] = [:]
    /// What the app reported and cannot be read, by property, for people: the text in quotes, at most 40 characters of it, or which kind
    /// of value it is instead of one.
    public internal(set) var unreadable: [Property: String] = [:]
    /// Milliseconds since 1970.
    public var now: Int64

    public init(now: Int64) { self.now = now }
}
