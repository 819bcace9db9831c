package import Audience
package import Foundation
import NephosTransport

/// The audience of a request: what an app states about its user and device. It selects and protects nothing (docs/audiences.md).
public struct DeviceAudience: Sendable, Hashable {
    /// Identifies this installation for percentage splits and for what was seen; for signed-in users their user record is used
    /// instead. Without it, what is restricted to a percentage is shown to nobody who is not signed in.
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
    /// `America/Mexico_City`: which day it is for the user.
    public var timeZone: String?

    /// Creates an empty audience.
    public init() {}

    /// What is known about this device: its language, time zone, platform and version, and the version of the app if its bundle has
    /// one. A widget has its own bundle, whose version should be that of its app.
    public static var current: DeviceAudience {
        let device = DeviceFacts.current
        var audience = DeviceAudience()
        (audience.locale, audience.country, audience.platform) = (device.locale, device.country, device.platform)
        (audience.osVersion, audience.appVersion) = (device.systemVersion, device.appVersion)
        audience.timeZone = device.timeZone
        return audience
    }

    /// As query parameters of a server's URL.
    package var parameters: [(name: String, value: String)] {
        [
            ("device", installation), ("locale", locale), ("platform", platform), ("osVersion", osVersion),
            ("version", appVersion), ("deviceType", device), ("country", country), ("timeZone", timeZone),
        ].compactMap { name, value in value.map { (name, $0) } }
    }

    /// The value of the header `X-Nephos-App`.
    package var report: String {
        AppHeader.text([appVersion, platform, osVersion, locale].map { $0 ?? "" }, device: installation)
    }

    /// As the context that conditions are evaluated in.
    package func context(now: Date) -> EvaluationContext {
        var context = EvaluationContext(now: now.milliseconds)
        context.targetingKey = installation
        let reported: [(EvaluationContext.Property, String?)] = [
            (.locale, locale), (.platform, platform), (.osVersion, osVersion), (.appVersion, appVersion),
            (.device, device), (.country, country), (.timeZone, timeZone),
        ]
        for (property, text) in reported { context.report(property, text) }
        return context
    }
}

extension Date {
    /// Milliseconds since 1970, clamped to the range of Int64.
    package var milliseconds: Int64 {
        Int64(exactly: (timeIntervalSince1970 * 1_000).rounded()) ?? (timeIntervalSince1970 < 0 ? .min : .max)
    }

    package init(milliseconds: Int64) { self.init(timeIntervalSince1970: Double(milliseconds) / 1_000) }
}
