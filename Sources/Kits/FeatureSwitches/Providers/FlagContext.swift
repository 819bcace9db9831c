package import CloudKitWire
import KitSupport

/// Whom flags are evaluated for: what an app says of its user and device. It selects, and protects nothing (docs/audiences.md).
public struct FlagContext: Sendable, Hashable {
    /// By what percentages are drawn. Where it is nil, the switches draw by an id that they keep for this installation; whoever is
    /// signed in is drawn by the name of their user record, whatever stands here.
    public var targetingKey: String?
    /// `es` or `es-MX`.
    public var locale: String?
    /// `iOS`, `macOS`, `Linux`.
    public var platform: String?
    /// `17.4`
    public var osVersion: String?
    /// `2.4`
    public var appVersion: String?
    /// `iPhone`, `iPad`.
    public var device: String?
    /// `MX`
    public var country: String?
    /// What else the app says. Under one of the names above it is as if it were said there.
    public var claims: [String: FlagValue] = [:]

    /// Nothing is said.
    public init() {}

    /// What is known of this device: its language, platform and version, and the version of the app where its bundle says one.
    /// The device's kind is not: an app that asks for it sets ``device``.
    public static var current: FlagContext {
        let device = DeviceFacts.current
        var context = FlagContext()
        (context.locale, context.country, context.platform) = (device.locale, device.country, device.platform)
        (context.osVersion, context.appVersion) = (device.systemVersion, device.appVersion)
        return context
    }

    /// As OFREP and the server's own evaluation read it.
    package func write(to json: inout JSONWriter) {
        var values = claims
        for (key, text) in [
            ("targetingKey", targetingKey), ("locale", locale), ("platform", platform), ("osVersion", osVersion),
            ("appVersion", appVersion), ("device", device), ("country", country),
        ] {
            if let text { values[key] = .string(text) }
        }
        FlagValue.object(values).write(to: &json)
    }
}
