/// Whom something is evaluated for, and when. Who evaluates fills in what it knows; what is missing fits no condition that asks for it.
///
/// `person`, `roles` and `facts` are proved: on a server they come from who asks, never from what is said. All else is said by the app:
/// it selects, and protects nothing.
public struct EvaluationContext: Sendable, Equatable {
    /// By what percentages are split: the name of the person's user record, or what stands for a device. It is never empty.
    public var targetingKey: String?
    /// The name of the user record of who is signed in.
    public var person: String?
    /// Security roles of the person or the key.
    public var roles: [String] = []
    /// What somebody whom the container trusts has proved.
    public var facts: [String: Scalar] = [:]
    public var locale: LanguageTag?
    /// In lower case: `ios`, `web`.
    public private(set) var platform: String?
    public var systemVersion: Version?
    public var appVersion: Version?
    /// In lower case: `iphone`, `ipad`.
    public private(set) var device: String?
    /// In capitals: `MX`.
    public private(set) var country: String?
    /// What else the app says.
    public var claims: [String: Scalar] = [:]
    /// Milliseconds since 1970.
    public var now: Int64

    public init(now: Int64) { self.now = now }

    public mutating func setPlatform(_ name: String?) { platform = name?.lowercased() }
    public mutating func setDevice(_ name: String?) { device = name?.lowercased() }
    public mutating func setCountry(_ code: String?) { country = code?.uppercased() }
}
