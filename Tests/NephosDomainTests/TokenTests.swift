import CloudKitWire
import Crypto
import NephosStorage
import Testing

@testable import NephosDomain

@Suite("Tokens are valid only for their purpose") struct TokenTests {
    private let key = [UInt8](repeating: 7, count: 32)
    private let token = ZoneToken(database: 3, zone: 9, sequence: 1_000_000, base: 42)

    @Test("docs/protocol.md Z9: a zone token is returned as it was sealed, in padded base64")
    func roundTrip() throws {
        let text = token.sealed(key: key)
        #expect(text.count % 4 == 0)
        #expect(try ZoneToken(text, key: key) == token)
    }

    @Test("docs/protocol.md Z7: a token with any changed character is rejected")
    func everyAlteredTokenIsRefused() {
        let text = Array(token.sealed(key: key))
        for index in text.indices {
            var altered = text
            altered[index] = altered[index] == "A" ? "B" : "A"
            #expect(throws: Refusal.self, "character \(index)") { try ZoneToken(String(altered), key: key) }
        }
        for length in 0..<text.count {
            #expect(throws: Refusal.self, "cut to \(length)") { try ZoneToken(String(text.prefix(length)), key: key) }
        }
    }

    @Test("docs/protocol.md Z7: a token of another key or purpose is rejected")
    func foreignTokensAreRefused() {
        let other = [UInt8](repeating: 8, count: 32)
        #expect(throws: Refusal.self) { try ZoneToken(token.sealed(key: other), key: key) }
        #expect(throws: Refusal.self) { try DatabaseToken(token.sealed(key: key), key: key) }
        let database = DatabaseToken(database: 3, sequence: 5, base: 0)
        #expect(throws: Refusal.self) { try DatabaseToken(database.sealed(key: key), key: key, shared: true) }
    }

    struct Expiry: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var zone: ZoneNumber = 9
        var purged: Sequence
        var expired: Bool
    }

    @Test(
        "docs/protocol.md Z7: a token expires when tombstones that its holder has not seen are purged",
        arguments: [
            Expiry(testDescription: "nothing purged", purged: 0, expired: false),
            Expiry(testDescription: "purged up to what it has seen", purged: 100, expired: false),
            Expiry(testDescription: "purged past it", purged: 101, expired: true),
            Expiry(testDescription: "another incarnation", zone: 10, purged: 0, expired: true),
        ])
    func expiry(_ row: Expiry) {
        let token = ZoneToken(database: 3, zone: 9, sequence: 100, base: 50)
        let zone = ZoneRow(
            database: 3, number: row.zone, name: "Z", createdSequence: 1, changedSequence: 200,
            purgedSequence: row.purged, createdAt: 0)
        #expect((try? token.check(against: zone)) == nil ? row.expired : !row.expired)
    }

    @Test("docs/protocol.md A6: a web auth token opens its own session, and no other")
    func webAuthTokens() throws {
        func session(_ byte: UInt8) -> SessionRow {
            SessionRow(
                id: .init(repeating: byte, count: 16), user: .init(high: 1, low: 2), privateDatabase: 2,
                secret: .init(repeating: byte, count: 32), createdAt: 0, expiresAt: 10)
        }
        let mine = session(1)
        let first = try #require(WebAuthToken.issue(for: mine, nonce: 1))
        let second = try #require(WebAuthToken.issue(for: mine, nonce: 2))
        #expect(first != second)
        #expect(WebAuthToken.sessionID(of: first) == mine.id)
        #expect(WebAuthToken.isValid(first, for: mine) && WebAuthToken.isValid(second, for: mine))
        #expect(!WebAuthToken.isValid(first, for: session(2)))
        var forged = mine
        forged.secret = Secret(mine.secret.bytes?.map { $0 ^ 1 } ?? [])
        #expect(!WebAuthToken.isValid(first, for: forged))
    }
}

@Suite("Server-to-server signatures") struct SignedRequestTests {
    private let key = P256.Signing.PrivateKey()

    private func signature(of message: String) throws -> String {
        Base64.text(Array(try key.signature(for: Array(message.utf8)).derRepresentation))
    }

    private func request(_ signature: String, body: String) -> SignedRequest {
        SignedRequest(
            keyID: "k", date: "2026-01-01T00:00:00Z", signature: signature, target: "/database/1/c?x=1",
            body: Array(body.utf8)[...])
    }

    private func hash(_ body: String) -> String { Base64.text(Array(SHA256.hash(data: Array(body.utf8)))) }

    @Test("docs/protocol.md K2: path with and without query, hash of an empty or a missing body")
    func acceptedSpellings() throws {
        let point = Array(key.publicKey.x963Representation)
        for (path, body, digest) in [
            ("/database/1/c", "{}", hash("{}")), ("/database/1/c?x=1", "{}", hash("{}")),
            ("/database/1/c", "", hash("")), ("/database/1/c", "", ""), ("/database/1/c?x=1", "", ""),
        ] {
            let signed = try signature(of: "2026-01-01T00:00:00Z:\(digest):\(path)")
            #expect(request(signed, body: body).isSigned(by: point), "\(path) \(body)")
        }
    }

    @Test("docs/protocol.md K3: anything else is rejected")
    func refusedSpellings() throws {
        let point = Array(key.publicKey.x963Representation)
        for message in [
            "2026-01-01T00:00:01Z:\(hash("{}")):/database/1/c", "2026-01-01T00:00:00Z::/database/1/c",
            "2026-01-01T00:00:00Z:\(hash("{}")):/database/1/d", "2026-01-01T00:00:00Z:\(hash("{} ")):/database/1/c",
        ] {
            #expect(!request(try signature(of: message), body: "{}").isSigned(by: point), "\(message)")
        }
        #expect(!request("", body: "{}").isSigned(by: point))
        #expect(!request("AAAA", body: "{}").isSigned(by: point))
    }

    @Test(
        "docs/protocol.md K3: dates",
        arguments: [
            ("1970-01-01T00:00:00Z", 0), ("2000-02-29T12:34:56Z", 951_827_696_000),
            ("2026-11-21T08:00:00.123Z", 1_795_248_000_123), ("2026-11-21T09:00:00+01:00", 1_795_248_000_000),
            ("2026-11-21T08:00:00", nil), ("yesterday", nil), ("2026-02-30T00:00:00Z", nil),
            ("2026-13-01T00:00:00Z", nil), ("2026-01-01T00:00:00.Z", nil), ("", nil),
        ] as [(String, Milliseconds?)])
    func dates(_ text: String, _ expected: Milliseconds?) {
        #expect(ISO8601.milliseconds(text) == expected)
    }
}
