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
    public private(set) var platform: String?
    public var systemVersion: Version?
    public var appVersion: Version?
    /// In lower case: `iphone`, `ipad`.
    public private(set) var device: String?
    /// In upper case: `MX`.
    public private(set) var country: String?
    /// Further claims of the app.
    public var claims: [String: Scalar] = [:]
    /// Milliseconds since 1970.
    public var now: Int64

    public init(now: Int64) { self.now = now }

    public mutating func setPlatform(_ name: String?) { platform = name?.lowercased() }
    public mutating func setDevice(_ name: String?) { device = name?.lowercased() }
    public mutating func setCountry(_ code: String?) { country = code?.uppercased() }
}
