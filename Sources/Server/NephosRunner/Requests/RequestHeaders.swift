/// The headers of a request, in order, as received.
package struct RequestHeaders: Sendable {
    /// The name of a header that this server reads, in lower case; names are case-insensitive.
    package struct Name: Sendable, ExpressibleByStringLiteral {
        let lowercase: StaticString

        package init(stringLiteral lowercase: StaticString) { self.lowercase = lowercase }

        package static let keyID: Name = "x-apple-cloudkit-request-keyid"
        package static let signatureDate: Name = "x-apple-cloudkit-request-iso8601date"
        package static let signature: Name = "x-apple-cloudkit-request-signaturev1"
        /// `1` if the client understands Nephos's extra keys in responses.
        package static let client: Name = "x-nephos-client"
        package static let accept: Name = "accept"
        package static let acceptLanguage: Name = "accept-language"
        package static let cookie: Name = "cookie"
        package static let userAgent: Name = "user-agent"
        /// The origin of the requesting page, as sent by a browser.
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
        /// The credential of OFREP's clients, if they do not use `Authorization`.
        package static let apiKey: Name = "x-api-key"
        /// The headers that a page of another origin wants to send, as its browser asks.
        package static let requestedHeaders: Name = "access-control-request-headers"
        /// The proved facts about the caller (``ProvedFacts``).
        package static let facts: Name = "x-nephos-facts"
        /// What the app reports about itself.
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

    /// The token of `Authorization: Bearer TOKEN`; nil if there is none.
    var bearer: Substring? {
        guard let value = first(.authorization), value.utf8.count > 7, value.prefix(7).lowercased() == "bearer " else {
            return nil
        }
        let token = value.dropFirst(7).trimmed
        return token.isEmpty ? nil : token
    }

    /// The value of `X-API-Key`; nil if there is none.
    var apiKey: Substring? {
        guard let key = first(.apiKey), !key.isEmpty else { return nil }
        return key[...]
    }

    /// The comma-separated elements of the values of this name, without surrounding spaces.
    package func list(_ name: Name) -> [Substring] {
        self[name].flatMap { $0.split(separator: ",").map(\.trimmed) }
    }
}
