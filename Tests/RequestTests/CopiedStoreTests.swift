import CloudKitWire
import Foundation
import NephosAdmin
import NephosDelivery
import NephosDomain
import NephosPost
import NephosRunner
import NephosSQLite
import NephosStorage
import NephosTesting
import RequestTesting
import Testing

/// docs/security.md: an attacker gets a copy of the store, without its key.
@Suite("A copied store") struct CopiedStoreTests {
    /// A running server's folder, as obtained by an attacker with access to everything but the key.
    private final class Copy {
        private let folder: TemporaryFolder
        let path: String
        let engine: SQLiteEngine

        init(of cloud: SmallCloud) throws {
            folder = try TemporaryFolder(prefix: "nephos-copy")
            path = folder.path + "/data"
            try FileManager.default.copyItem(atPath: cloud.data, toPath: path)
            try FileManager.default.removeItem(atPath: path + "/secret.key")
            var options = SQLiteOptions()
            options.secretKeys = SecretKeys([.random()], from: "a guess")
            options.acceptsLostKey = true
            engine = try SQLiteEngine(directory: path, options: options)
        }

        deinit { engine.close() }

        func reading() throws -> (sessions: [SessionRow], webhooks: [DeviceRow], catalog: Catalog) {
            var set = ReadSet()
            let (sessions, webhooks) = (SessionRow.newest(limit: 9), DeviceRow.all(.webhook, limit: 9))
            set.ask(sessions)
            set.ask(webhooks)
            let reading = try engine.open(SmallCloud.tenant)?.read(set)
            guard let reading else { throw StorageError.noSuchTenant }
            return (reading[sessions], reading[webhooks], reading.catalog)
        }
    }

    /// What an attacker might try as the secret: the stored bytes, those without their header, and nothing.
    private static func guesses(_ secret: Secret) -> [[UInt8]] {
        [secret.stored, Array(secret.stored.dropFirst(12)), Array(secret.stored.suffix(32)), []]
    }

    @Test("No session token can be derived from it")
    func sessions() async throws {
        let cloud = try await SmallCloud()
        let rows = try Copy(of: cloud).reading().sessions
        #expect(rows.count == 2 && rows.allSatisfy { $0.secret.bytes == nil })
        func status(_ token: String) -> Int {
            let target = "/database/1/\(SmallCloud.container)/development/public/users/caller"
            let query = "?ckAPIToken=\(cloud.apiToken)&ckWebAuthToken=\(percentEncoded(token))"
            let outcome = cloud.responder.outcome(of: cloud.request("GET", target + query, as: .stranger))
            if case .answer(let answer) = outcome { return answer.status } else { return 0 }
        }
        #expect(status(cloud.webAuthToken) == 200)
        for guess in Self.guesses(rows[0].secret) {
            var session = rows[0]
            session.secret = Secret(guess)
            let token = WebAuthToken.issue(for: session, nonce: 7)
            #expect((token == nil) == guess.isEmpty)
            if let token { #expect(status(token) == 421) }
        }
        #expect(WebAuthToken.issue(for: rows[0], nonce: 7) == nil)
    }

    @Test("No change token, ticket, link, receipt or courier token can be derived from it")
    func tokens() async throws {
        let cloud = try await SmallCloud()
        let real = try #require(try cloud.engine.open(SmallCloud.tenant)).read(ReadSet()).catalog.head.signingKey
        let head = try Copy(of: cloud).reading().catalog.head
        #expect(head.signingKey != real && head.storedKey != real)
        let (user, now) = (UserID(high: 1, low: 2), SmallCloud.now)
        let admission = Admission()
        for key in Self.guesses(Secret(head.storedKey)) + [head.signingKey, head.sealing.fileKey] {
            let token = ZoneToken(database: 1, zone: 1, sequence: 1, base: 0)
            #expect(throws: Refusal.self) { try ZoneToken(token.sealed(key: key), key: real) }
            let ticket = UploadTicket(database: 1, user: user, admission: admission, expiresAt: .max, nonce: 1)
            #expect(throws: Refusal.self) { try UploadTicket(ticket.sealed(key: key), key: real, now: now) }
            let receipt = AssetReceipt(database: 1, user: user, address: [], size: 1, expiresAt: .max)
            #expect(throws: Refusal.self) { try AssetReceipt(receipt.sealed(key: key), key: real) }
            let courier = CourierToken(DeviceKey(database: 1, user: user, id: [1]))
            #expect(throws: Refusal.self) { try CourierToken(courier.sealed(key: key), key: real) }
            let link = DownloadLink(
                database: 1, zone: 1, record: "a", place: AssetPlace(field: "file", index: 0), address: [], user: nil,
                admission: admission, expiresAt: .max)
            #expect(throws: Refusal.self) { try DownloadLink(link.sealed(key: key), key: real, now: now) }
        }
    }

    @Test("No webhook call can be signed with it, and none of its files contains a secret")
    func webhooks() async throws {
        let cloud = try await SmallCloud()
        let admin = Administration(
            engine: cloud.engine, inputs: Inputs(now: { SmallCloud.now }, randomBytes: { Array(1...UInt8($0)) }))
        let hook = try await admin.createWebhook(
            in: SmallCloud.tenant, url: "http://127.0.0.1:9/",
            for: WebhookScope(recordType: "Note", firesOn: ["create"], filters: Array("[]".utf8)))
        let secret = try #require(Hexadecimal.bytes(hook.secret))
        let copy = try Copy(of: cloud)
        let row = try #require(try copy.reading().webhooks.first)
        #expect(row.secret.bytes == nil)
        for guess in Self.guesses(row.secret) {
            let header = WebhookSignature.header(body: [1], secret: guess, time: 7)
            #expect(!WebhookSignature.isValid(header, body: [1], secret: secret, now: 7))
        }
        let files = try FileManager.default.subpathsOfDirectory(atPath: copy.path)
        #expect(files.contains { $0.hasSuffix("development.sqlite") })
        for file in files where file.contains(".sqlite") {
            let content = try readFile("\(copy.path)/\(file)")
            #expect(content.firstRange(of: secret) == nil, "\(file) has a webhook's secret in it")
        }
    }
}
