import Audience
package import CloudKitWire
import Foundation

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
        var context = FlagContext()
        let languages = Locale.preferredLanguages + [Locale.current.identifier]
        context.locale = languages.first { LanguageTag($0) != nil }
        context.country = Locale.current.region.map(\.identifier).flatMap { $0.utf8.count == 2 ? $0 : nil }
        context.platform = platformName
        let system = ProcessInfo.processInfo.operatingSystemVersion
        context.osVersion = "\(system.majorVersion).\(system.minorVersion).\(system.patchVersion)"
        let version = Bundle.main.infoDictionary?["CFBundleShortVersionString"] as? String
        context.appVersion = version.flatMap { Version($0) == nil ? nil : $0 }
        return context
    }

    private static var platformName: String {
        #if os(iOS)
            "iOS"
        #elseif os(macOS)
            "macOS"
        #elseif os(tvOS)
            "tvOS"
        #elseif os(watchOS)
            "watchOS"
        #elseif os(visionOS)
            "visionOS"
        #else
            "Linux"
        #endif
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
