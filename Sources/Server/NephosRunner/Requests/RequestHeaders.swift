/// The headers of a request, in order, as they came.
package struct RequestHeaders: Sendable {
    /// A header that this server reads, in lower case: the case of letters tells no names apart.
    package struct Name: Sendable, ExpressibleByStringLiteral {
        let lowercase: StaticString

        package init(stringLiteral lowercase: StaticString) { self.lowercase = lowercase }

        package static let keyID: Name = "x-apple-cloudkit-request-keyid"
        package static let signatureDate: Name = "x-apple-cloudkit-request-iso8601date"
        package static let signature: Name = "x-apple-cloudkit-request-signaturev1"
        /// `1` where the client understands the extra keys of our own answers.
        package static let client: Name = "x-nephos-client"
        package static let accept: Name = "accept"
        package static let acceptLanguage: Name = "accept-language"
        package static let cookie: Name = "cookie"
        package static let userAgent: Name = "user-agent"
        /// The origin of the page that asks, as a browser says it.
        package static let origin: Name = "origin"
        package static let lastEventID: Name = "last-event-id"
        package static let contentLength: Name = "content-length"
        package static let contentType: Name = "content-type"
        package static let range: Name = "range"
        package static let ifRange: Name = "if-range"
        package static let ifMatch: Name = "if-match"
        package static let ifNoneMatch: Name = "if-none-match"
        package static let host: Name = "host"
        package static let forwardedFor: Name = "x-forwarded-for"
        package static let forwardedHost: Name = "x-forwarded-host"
        package static let forwardedProto: Name = "x-forwarded-proto"
        package static let transferEncoding: Name = "transfer-encoding"
        package static let authorization: Name = "authorization"
        /// What is proved of who asks (``ProvedFacts``).
        package static let facts: Name = "x-nephos-facts"
        /// What the app says of itself.
        package static let app: Name = "x-nephos-app"
    }

    package let fields: [(name: String, value: String)]

    package init(_ fields: [(name: String, value: String)] = []) { self.fields = fields }

    /// The values of this name, one for each header.
    package subscript(name: Name) -> [String] {
        fields.filter { $0.name.isEqualIgnoringCase(to: name.lowercase) }.map(\.value)
    }

    package func first(_ name: Name) -> String? {
        fields.first { $0.name.isEqualIgnoringCase(to: name.lowercase) }?.value
    }

    package func contains(_ name: Name) -> Bool {
        fields.contains { $0.name.isEqualIgnoringCase(to: name.lowercase) }
    }

    /// The token of `Authorization: Bearer TOKEN`; nil without one.
    var bearer: Substring? {
        guard let value = first(.authorization), value.utf8.count > 7, value.prefix(7).lowercased() == "bearer " else {
            return nil
        }
        let token = value.dropFirst(7).trimmed
        return token.isEmpty ? nil : token
    }

    /// What stands between the commas of the values of this name, without the blanks around it.
    package func list(_ name: Name) -> [Substring] {
        self[name].flatMap { $0.split(separator: ",").map(\.trimmed) }
    }
}
