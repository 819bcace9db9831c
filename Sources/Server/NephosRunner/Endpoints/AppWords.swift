package import Audience
import CloudKitWire
package import NephosDomain
package import NephosStorage

/// What an address says of an app and of who uses it, by which conditions are judged (docs/audiences.md): `locale`, `version`, `osVersion`,
/// `platform`, `deviceType` and `country`, and `device` for what stands for this installation. It selects, and protects nothing.
package struct AppWords: Sendable {
    /// Bytes of one.
    package static let textMax = 1_024

    /// `device`.
    package let device: String?
    private let context: EvaluationContext

    /// - Parameter now: When it was asked.
    /// - Throws: For what cannot be meant.
    package init(_ parameters: RequestParameters, now: Milliseconds) throws(Refusal) {
        guard !parameters.hasUnreadable else {
            throw .badRequest("the address holds a value that is no percent-encoded UTF-8")
        }
        device = try parameters.value(of: "device", most: Self.textMax)
        var context = EvaluationContext(now: now)
        context.targetingKey = device
        context.setPlatform(try parameters.value(of: "platform", most: Self.textMax))
        context.setDevice(try parameters.value(of: "deviceType", most: Self.textMax))
        context.setCountry(try parameters.value(of: "country", most: Self.textMax))
        if let text = try parameters.value(of: "locale", most: Self.textMax) {
            guard let locale = LanguageTag(text) else { throw .badRequest("locale is one such as es or es-MX") }
            context.locale = locale
        }
        context.appVersion = try Self.version("version", parameters)
        context.systemVersion = try Self.version("osVersion", parameters)
        self.context = context
    }

    private static func version(_ name: StaticString, _ parameters: RequestParameters) throws(Refusal) -> Version? {
        guard let text = try parameters.value(of: name, most: textMax) else { return nil }
        guard let version = Version(text) else { throw .badRequest("\(name) is one such as 2.4") }
        return version
    }

    /// With what is known of who asks: what is proved of them, who they are, and their roles.
    ///
    /// - Parameter roles: Numbers of their own.
    package func context(of call: AdmittedCall, roles: [Int64]) -> EvaluationContext {
        var context = context
        context.facts = call.context.factValues
        if let user = call.context.caller.user, user != .server {
            context.person = user.recordName
            context.targetingKey = user.recordName
            context.roles = call.context.catalog.roles.values.filter { roles.contains($0.number) }.map(\.name.text)
                .sorted()
        }
        return context
    }
}

extension RequestParameters {
    /// ``value(of:)`` of at most so many bytes.
    package func value(of name: StaticString, most: Int) throws(Refusal) -> String? {
        guard let text = value(of: name) else { return nil }
        guard text.utf8.count <= most else { throw .badRequest("\(name) has more than \(most) bytes") }
        return text
    }
}

extension AdmittedCall {
    /// Whether an answer by an address is for one person or device alone, or for who understands more than others do.
    ///
    /// - Parameter words: What the address says.
    package func isPersonal(_ words: AppWords) -> Bool {
        context.caller.user != nil || words.device != nil || wantsExtras || call.request.headers.contains(.facts)
    }
}
