import Audience
import Foundation

/// What is known about this device and the app that runs on it, as sent to servers.
package struct DeviceFacts: Sendable {
    /// The user's first language that is a valid language tag (docs/audiences.md); nil if nobody has chosen one.
    package let locale: String?
    /// `MX`
    package let country: String?
    /// `America/Mexico_City`
    package let timeZone: String?
    /// `iOS`, `macOS`, `Linux`.
    package let platform: String
    /// `17.4.1`
    package let systemVersion: String
    /// The version in the app's bundle, if it is valid.
    package let appVersion: String?

    package static var current: DeviceFacts { DeviceFacts() }

    private init() {
        let languages = Locale.preferredLanguages + [Locale.current.identifier]
        locale = languages.first { LanguageTag(reported: $0) != nil }
        country = Locale.current.region.map(\.identifier).flatMap { $0.utf8.count == 2 ? $0 : nil }
        let zone = TimeZone.current.identifier
        timeZone = ClientZone(zone) == nil ? nil : zone
        platform = Self.platformName
        let system = ProcessInfo.processInfo.operatingSystemVersion
        systemVersion = "\(system.majorVersion).\(system.minorVersion).\(system.patchVersion)"
        let version = Bundle.main.infoDictionary?["CFBundleShortVersionString"] as? String
        appVersion = version.flatMap { Version($0) == nil ? nil : $0 }
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
}
