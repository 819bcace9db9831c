/// The credentials of a request (docs/protocol.md, A1 to A6).
package enum Credentials: Sendable {
    case none
    /// An app without a signed-in user.
    case app(apiToken: String)
    /// A signed-in user, with the token that current clients send.
    case person(apiToken: String, webAuthToken: String)
    /// A signed-in user, with the token under the older name `ckSession`.
    case session(apiToken: String, session: String)
    /// A server-to-server key.
    case key(RequestSigner)

    /// Query items with the credentials, percent-encoded.
    package var query: [String] {
        switch self {
        case .none, .key: []
        case .app(let token): ["ckAPIToken=" + percentEncoded(token)]
        case .person(let token, let web):
            ["ckAPIToken=" + percentEncoded(token), "ckWebAuthToken=" + percentEncoded(web)]
        case .session(let token, let session):
            ["ckAPIToken=" + percentEncoded(token), "ckSession=" + percentEncoded(session)]
        }
    }
}

/// Encodes everything except RFC 3986's unreserved characters.
package func percentEncoded(_ text: String) -> String {
    var encoded = ""
    for byte in text.utf8 {
        let character = Character(Unicode.Scalar(byte))
        if byte < 0x80, character.isLetter || character.isNumber || "-._~".contains(character) {
            encoded.append(character)
        } else {
            encoded += byte < 16 ? "%0" : "%"
            encoded += String(byte, radix: 16, uppercase: true)
        }
    }
    return encoded
}
