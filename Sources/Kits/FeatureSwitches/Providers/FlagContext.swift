package import CloudKitWire
import KitSupport

/// The context that flags are evaluated for: what an app states about its user and device. It selects values and protects nothing
/// (docs/audiences.md).
public struct FlagContext: Sendable, Hashable {
    /// The key for percentage splits. If it is nil, an ID that is saved for this installation is used. For signed-in users the name
    /// of their user record is used, whatever this contains.
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
    /// `America/Mexico_City`: which day it is for the user.
    public var timeZone: String?
    /// Further attributes that the app states. One under a name above counts as that property.
    public var claims: [String: FlagValue] = [:]

    /// Creates an empty context.
    public init() {}

    /// What is known about this device: its language, time zone, platform and version, and the version of the app if its bundle has
    /// one. The kind of device is not included: an app that needs it sets ``device``.
    public static var current: FlagContext {
        let device = DeviceFacts.current
        var context = FlagContext()
        (context.locale, context.country, context.platform) = (device.locale, device.country, device.platform)
        (context.osVersion, context.appVersion) = (device.systemVersion, device.appVersion)
        context.timeZone = device.timeZone
        return context
    }

    /// Writes the context in the format that OFREP and the server's own evaluation read.
    package func write(to json: inout JSONWriter) {
        var values = claims
        for (key, text) in [
            ("targetingKey", targetingKey), ("locale", locale), ("platform", platform), ("osVersion", osVersion),
            ("appVersion", appVersion), ("device", device), ("country", country), ("timeZone", timeZone),
        ] {
            if let text { values[key] = .string(text) }
        }
        FlagValue.object(values).write(to: &json)
    }
}
