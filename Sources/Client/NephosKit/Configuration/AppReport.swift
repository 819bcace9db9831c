import Foundation
import NephosTransport

/// What an app reports about itself. The server stores it only as counts, and only if its operator enables that (docs/clients.md).
public struct AppReport: Sendable, Equatable {
    /// The version of the app, such as `2.3`.
    public var version: String
    /// The name of the operating system, such as `iOS` or `Linux`.
    public var platform: String
    /// The version of the operating system, such as `17.5`.
    public var systemVersion: String
    /// The identifier of the locale, such as `es-MX`.
    public var locale: String
    /// An identifier by which the device is counted while nobody is signed in, such as a UUID that the app stores; nil to be
    /// counted only while somebody is signed in.
    public var device: String?

    /// Creates a report. The platform, the system's version and the locale are those of the running program unless they are passed.
    ///
    /// - Parameters:
    ///   - version: The version of the app.
    ///   - device: A stable identifier of the device; nil to be counted only while somebody is signed in.
    public init(
        version: String, platform: String = Self.currentPlatform, systemVersion: String = Self.currentSystemVersion,
        locale: String = Self.currentLocale, device: String? = nil
    ) {
        (self.version, self.platform, self.systemVersion) = (version, platform, systemVersion)
        (self.locale, self.device) = (locale, device)
    }

    /// The operating system that this program was built for: `Linux`, `Windows`, `Android` or `macOS`; empty for any other.
    public static var currentPlatform: String {
        #if os(Linux)
            "Linux"
        #elseif os(Windows)
            "Windows"
        #elseif os(Android)
            "Android"
        #elseif os(macOS)
            "macOS"
        #else
            ""
        #endif
    }

    /// The major and minor version of the running operating system, such as `6.1`.
    public static var currentSystemVersion: String {
        let version = ProcessInfo.processInfo.operatingSystemVersion
        return "\(version.majorVersion).\(version.minorVersion)"
    }

    /// The identifier of the current locale, such as `es_MX`, without its keywords.
    public static var currentLocale: String { String(Locale.current.identifier.prefix { $0 != "@" }) }

    var header: String { AppHeader.text([version, platform, systemVersion, locale], device: device) }
}
