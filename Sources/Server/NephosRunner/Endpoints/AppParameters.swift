package import Audience
import CloudKitWire
package import NephosDomain
package import NephosStorage

/// What the query of a URL states about an app and its user, for evaluating conditions (docs/audiences.md): `locale`, `version`,
/// `osVersion`, `platform`, `deviceType`, `country` and `timeZone`, and `device`, which identifies this installation. It selects, and
/// protects nothing.
package struct AppParameters: Sendable {
    /// The maximum size of one value, in bytes.
    package static let textMax = 1_024

    /// `device`.
    package let device: String?
    private let context: EvaluationContext

    /// - Parameter now: When the request was made.
    /// - Throws: For values that are too long or not UTF-8.
    package init(_ parameters: RequestParameters, now: Milliseconds) throws(Refusal) {
        guard !parameters.hasUnreadable else {
            throw .badRequest("the address contains a value that is not percent-encoded UTF-8")
        }
        // An empty one identifies nobody.
        device = try parameters.value(of: "device", most: Self.textMax).flatMap { $0.isEmpty ? nil : $0 }
        var context = EvaluationContext(now: now)
        context.targetingKey = device
        for (property, name) in Self.names {
            context.report(property, try parameters.value(of: name, most: Self.textMax))
        }
        self.context = context
    }

    private static let names: [(EvaluationContext.Property, StaticString)] = [
        (.locale, "locale"), (.platform, "platform"), (.osVersion, "osVersion"), (.appVersion, "version"),
        (.device, "deviceType"), (.country, "country"), (.timeZone, "timeZone"),
    ]

    /// The context with what is known of the caller: proved facts, user and roles.
    ///
    /// - Parameter roles: The numbers of the caller's own roles.
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
    /// ``value(of:)`` of at most `most` bytes.
    package func value(of name: StaticString, most: Int) throws(Refusal) -> String? {
        guard let text = value(of: name) else { return nil }
        guard text.utf8.count <= most else { throw .badRequest("\(name) has more than \(most) bytes") }
        return text
    }
}

extension AdmittedCall {
    /// Whether the answer to a URL is for one person or device only, or for a client that understands extra keys.
    ///
    /// - Parameter words: What the URL states.
    package func isPersonal(_ words: AppParameters) -> Bool {
        context.caller.user != nil || words.device != nil || wantsExtras || call.request.headers.contains(.facts)
    }
}
