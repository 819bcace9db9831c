import Foundation
import NephosTransport

/// What an app says of itself, to be counted where whoever runs the server wants that (docs/clients.md): as counts only.
public struct AppReport: Sendable, Equatable {
    /// Of the app, such as `2.3`.
    public var version: String
    /// Such as `iOS` or `Linux`.
    public var platform: String
    /// The version of the system, such as `17.5`.
    public var systemVersion: String
    /// Such as `es-MX`.
    public var locale: String
    /// What stands for the device where nobody is signed in, such as a UUID that the app keeps; nil to be counted only when signed in.
    public var device: String?

    /// Describes the app, with what this machine says of itself where nothing else is passed.
    ///
    /// - Parameters:
    ///   - version: The version of the app.
    ///   - device: A stable name for the device; nil to be counted only while somebody is signed in.
    public init(
        version: String, platform: String = Self.currentPlatform, systemVersion: String = Self.currentSystemVersion,
        locale: String = Self.currentLocale, device: String? = nil
    ) {
        (self.version, self.platform, self.systemVersion) = (version, platform, systemVersion)
        (self.locale, self.device) = (locale, device)
    }

    /// The name of the system that this program was built for, such as `Linux`; empty on a system without a name here.
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

    /// The major and minor version of the running system, such as `6.1`.
    public static var currentSystemVersion: String {
        let version = ProcessInfo.processInfo.operatingSystemVersion
        return "\(version.majorVersion).\(version.minorVersion)"
    }

    /// The identifier of the current locale, such as `es_MX`, without its keywords.
    public static var currentLocale: String { String(Locale.current.identifier.prefix { $0 != "@" }) }

    var header: String { AppHeader.text([version, platform, systemVersion, locale], device: device) }
}
