import CloudKitWire
import NephosRunner
import NephosStorage

/// An API token with where and how it lets people sign in. Contains no secret.
struct TokenListing: Sendable {
    let token: APITokenRow
    let terms: TokenTermsRow
    /// The day of the last use, since 1970 UTC; nil if it was never used, or if that was not recorded yet.
    let lastDay: Int64?

    init(_ token: APITokenRow, _ terms: TokenTermsRow, _ lastDay: Int64?) {
        (self.token, self.terms, self.lastDay) = (token, terms, lastDay)
    }

    private var origins: [String] { terms.origins.split(separator: " ").map(String.init) }
    private var callbacks: [String] { terms.callbacks.split(separator: " ").map(String.init) }
    private var signUp: String { terms.signsUp ? "yes" : "no" }

    static let head = ["id", "name", "made", "last used", "revoked", "origins", "callbacks", "sign up"]

    var row: [String] {
        [
            token.shownID, token.name.isEmpty ? "-" : token.name, token.createdAt.asDate, lastDay.asDay,
            token.revokedAt.asDateOrDash, origins.isEmpty ? "-" : origins.joined(separator: " "),
            callbacks.isEmpty ? "-" : callbacks.joined(separator: " "), signUp,
        ]
    }

    /// A line for each value.
    var text: String {
        let lines = zip(Self.head, row).flatMap { name, value in
            switch name {
            case "origins": Self.lines(name, origins)
            case "callbacks": Self.lines(name, callbacks)
            default: Self.lines(name, [value])
            }
        }
        return lines.joined(separator: "\n")
    }

    private static func lines(_ name: String, _ values: [String]) -> [String] {
        (values.isEmpty ? ["-"] : values).enumerated().map { number, value in
            "\(number == 0 ? name : "")\(String(repeating: " ", count: 11 - (number == 0 ? name.count : 0)))\(value)"
        }
    }

    /// An object, with lists of origins and callbacks.
    var json: [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.member("id", token.shownID)
        json.member("name", token.name)
        json.member("made", token.createdAt.asDate)
        if lastDay != nil { json.member("lastUsed", lastDay.asDay) }
        if token.revokedAt != 0 { json.member("revoked", token.revokedAt.asDate) }
        for (name, values) in [("origins", origins), ("callbacks", callbacks)] as [(Name, [String])] {
            json.key(named: name)
            json.beginArray()
            for value in values { json.string(value) }
            json.endArray()
        }
        json.member("signUp", terms.signsUp)
        json.endObject()
        return json.bytes + [UInt8(ascii: "\n")]
    }
}

extension UseCase {
    /// Replaces the command of the same name that every program has.
    static let listTokens = UseCase(
        "token list", .reads, lists: true,
        abstract: "Print the API tokens of a container, revoked ones too, and where people sign in with them.",
        discussion: """
            The id is the beginning of the token's hash, which grants no access. The last use is recorded by day, some minutes later. \
            Origins, callbacks and sign-up are set with nephos token set.

            Example:

              nephos token list iCloud.com.example.app
            """,
        .tenant
    ) { call, tenant in
        let rows = try call.administration.tokens(in: tenant).map(\.row)
        return .table(TokenListing.head, rows, whenEmpty: "There is no API token.")
    }

    static let showToken = UseCase(
        "token show", .reads, abstract: "Print one API token of a container, and where people sign in with it.",
        discussion: """
            The token itself is not stored, and cannot be shown.

            Examples:

              nephos token show iCloud.com.example.app 8f14e45f
              nephos token show iCloud.com.example.app 8f14e45f --output json
            """,
        .tenant, Input<String>.argument("id", help: "The token's id, or its beginning."), Input<Output>.output
    ) { call, tenant, id, output in
        let token = try call.administration.token(id, in: tenant)
        return output == .json ? .bytes(token.json) : .text(token.text)
    }
}
