package import Audience
package import Foundation
import NephosTransport

/// Whom something is asked for: what an app says of its user and device. It selects, and protects nothing (docs/audiences.md).
public struct DeviceAudience: Sendable, Hashable {
    /// Stands for this installation where percentages are drawn, and by what a server knows what was seen; for whoever is signed in their user
    /// record does. Without one, what is for some percent is for nobody who is not signed in.
    public var installation: String?
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

    /// Nothing is said.
    public init() {}

    /// What is known of this device: its language, platform and version, and the version of the app where its bundle says one. A widget
    /// is an own bundle, whose version should be that of its app.
    public static var current: DeviceAudience {
        let device = DeviceFacts.current
        var audience = DeviceAudience()
        (audience.locale, audience.country, audience.platform) = (device.locale, device.country, device.platform)
        (audience.osVersion, audience.appVersion) = (device.systemVersion, device.appVersion)
        return audience
    }

    /// As addresses of a server say it.
    package var parameters: [(name: String, value: String)] {
        [
            ("device", installation), ("locale", locale), ("platform", platform), ("osVersion", osVersion),
            ("version", appVersion), ("deviceType", device), ("country", country),
        ].compactMap { name, value in value.map { (name, $0) } }
    }

    /// As `X-Nephos-App` says it.
    package var report: String {
        AppHeader.text([appVersion, platform, osVersion, locale].map { $0 ?? "" }, device: installation)
    }

    /// As conditions are judged by.
    package func context(now: Date) -> EvaluationContext {
        var context = EvaluationContext(now: now.milliseconds)
        context.targetingKey = installation
        context.locale = locale.flatMap { LanguageTag($0) }
        context.systemVersion = osVersion.flatMap { Version($0) }
        context.appVersion = appVersion.flatMap { Version($0) }
        context.setPlatform(platform)
        context.setDevice(device)
        context.setCountry(country)
        return context
    }
}

extension Date {
    /// Since 1970. Those that no calendar needs are the first or the last.
    package var milliseconds: Int64 {
        Int64(exactly: (timeIntervalSince1970 * 1_000).rounded()) ?? (timeIntervalSince1970 < 0 ? .min : .max)
    }

    package init(milliseconds: Int64) { self.init(timeIntervalSince1970: Double(milliseconds) / 1_000) }
}
