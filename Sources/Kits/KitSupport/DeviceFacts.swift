import Audience
import Foundation

/// What is known about this device and the app that runs on it, as sent to servers.
package struct DeviceFacts: Sendable {
    /// The user's first language that is a valid language tag (docs/audiences.md).
    package let locale: String?
    /// `MX`
    package let country: String?
    /// `iOS`, `macOS`, `Linux`.
    package let platform: String
    /// `17.4.1`
    package let systemVersion: String
    /// The version in the app's bundle, if it is valid.
    package let appVersion: String?

    package static var current: DeviceFacts { DeviceFacts() }

    private init() {
        let languages = Locale.preferredLanguages + [Locale.current.identifier]
        locale = languages.first { LanguageTag($0) != nil }
        country = Locale.current.region.map(\.identifier).flatMap { $0.utf8.count == 2 ? $0 : nil }
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
