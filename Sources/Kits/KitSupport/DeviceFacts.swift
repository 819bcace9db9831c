import Audience
import Foundation

/// What is known of this device and of the app that runs on it, as whoever selects for it is told.
package struct DeviceFacts: Sendable {
    /// The first language of the person that is one (docs/audiences.md).
    package let locale: String?
    /// `MX`
    package let country: String?
    /// `iOS`, `macOS`, `Linux`.
    package let platform: String
    /// `17.4.1`
    package let systemVersion: String
    /// What the app's bundle says, where that is a version.
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
