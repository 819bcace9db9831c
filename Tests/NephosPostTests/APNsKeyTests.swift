import Crypto
import DeliveryTesting
import NephosDelivery
import NephosPost
import Testing

@Suite("APNs keys")
struct APNsKeyTests {
    private static let key = TestKey()

    private func error(pem: String = key.pem, team: String = key.teamID, id: String = key.keyID) -> APNsKeyError? {
        do {
            _ = try APNsKey(pem: pem, teamID: team, keyID: id)
            return nil
        } catch {
            return error
        }
    }

    @Test("A .p8 file is read, in whatever form it was copied")
    func readable() {
        let pem = Self.key.pem
        #expect(error() == nil)
        #expect(error(pem: pem + "\n\n") == nil)
        #expect(error(pem: pem.split(separator: "\n").joined(separator: "\r\n") + "\r\n") == nil)
        #expect(error(pem: "\u{FEFF}" + pem) == nil)
        #expect(error(pem: pem.split(separator: "\n").map { "    \($0)  " }.joined(separator: "\n")) == nil)
        #expect(error(pem: block("EC PARAMETERS", "BggqhkjOPQMBBw==") + pem) == nil)
        #expect(error(pem: "Bag Attributes\n  name: APNs\n\(pem)\nthe end") == nil)
    }

    @Test("An invalid key is rejected, with what is needed instead")
    func unreadable() async throws {
        let p384 = P384.Signing.PrivateKey().pemRepresentation
        let publicKey = P256.Signing.PrivateKey().publicKey.pemRepresentation
        let server = try await APNsStandIn.start()
        await server.stop()
        let cases: [(String, APNsKeyError)] = [
            ("", .empty), (" \n\t\r\n", .empty), ("AuthKey_KEY1234567.p8", .notPEM), ("{}", .notPEM),
            (String(repeating: "a", count: 20_000), .tooLong), (publicKey, .publicKey),
            (server.rootPEM, .certificate), (p384, .notP256), (block("RSA PRIVATE KEY"), .rsaKey),
            (block("ENCRYPTED PRIVATE KEY"), .encryptedKey), (block("OPENSSH PRIVATE KEY"), .otherContent),
            (block("PRIVATE KEY"), .notP256), (block("PRIVATE KEY", "%%%%"), .notP256),
            ("-----BEGIN PRIVATE KEY-----\nAAAA", .notPEM), ("-----BEGIN PRIVATE KEY-----", .notPEM),
            ("-----END PRIVATE KEY-----\n-----BEGIN PRIVATE KEY-----", .notPEM),
            ("-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----", .notP256),
            (String(Self.key.pem.dropFirst(40)), .notPEM),
        ]
        for (pem, expected) in cases {
            #expect(error(pem: pem) == expected, "\(pem.prefix(60))")
            #expect(expected.description.contains("-----BEGIN PRIVATE KEY-----"))
        }
    }

    @Test(
        "Invalid ids are rejected",
        arguments: [
            "", "TEAM12345", "TEAM1234567", "team123456", "TEAM 12345", "TEAM12345\"", "TÉAM12345", "com.a.team",
        ])
    func ids(id: String) {
        #expect(error(team: id) == .invalidTeamID)
        #expect(error(id: id) == .invalidKeyID)
    }

    @Test("Neither a key's text nor an error shows the key")
    func secrecy() throws {
        let key = try APNsKey(pem: Self.key.pem, teamID: Self.key.teamID, keyID: Self.key.keyID)
        #expect("\(key)" == "APNs key KEY1234567 of team TEAM123456")
        for error in APNsKeyError.allCases { #expect(error.description.hasSuffix(".")) }
    }

    private func block(_ label: String, _ content: String = "MIIBVAIBADANBgkqhkiG9w0BAQEFAASCAT4wggE6AgEAAkEA")
        -> String
    {
        "-----BEGIN \(label)-----\n\(content)\n-----END \(label)-----\n"
    }
}
