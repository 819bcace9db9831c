import Crypto
import Foundation
import NephosTesting
import Testing

@testable import NephosKit
@testable import NephosTransport

/// Server-to-server keys (docs/protocol.md, K1 to K4).
@Suite struct SigningTests {
    private let key = P256.Signing.PrivateKey()

    private func configuration(_ pem: String, server: String = "https://cloud.test") -> NephosConfiguration {
        NephosConfiguration(
            serverURL: URL(string: server), environment: .production, apiToken: "api",
            serverKey: ServerKey(keyID: "key", pem: pem))
    }

    private func container(_ transport: ScriptedTransport, _ id: String, _ server: String) -> CKContainer {
        let service = Service(
            container: id, configuration: .success(configuration(key.pemRepresentation, server: server)),
            transport: transport, pause: { _ in })
        return CKContainer(ContainerCore(service), OperationDefaults())
    }

    /// Whether the signature covers what is sent.
    private func check(_ request: TransportRequest) throws {
        let date = try #require(request.headers["X-Apple-CloudKit-Request-ISO8601Date"])
        let text = try #require(request.headers["X-Apple-CloudKit-Request-SignatureV1"])
        let signature = try P256.Signing.ECDSASignature(derRepresentation: #require(Data(base64Encoded: text)))
        let hash = Data(SHA256.hash(data: request.bytes)).base64EncodedString()
        let path = try #require(URLComponents(url: request.url, resolvingAgainstBaseURL: false)?.percentEncodedPath)
        #expect(key.publicKey.isValidSignature(signature, for: Data("\(date):\(hash):\(path)".utf8)))
        #expect(request.headers["X-Apple-CloudKit-Request-KeyID"] == "key")

        let form = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/
        #expect(date.wholeMatch(of: form) != nil)
        let moment = try #require(ISO8601DateFormatter().date(from: date))
        // The server accepts times within ten minutes of its clock.
        #expect(abs(moment.timeIntervalSinceNow) < 300)
        // No token is sent, although the configuration has one.
        #expect(request.url.query == nil)
    }

    @Test(
        arguments: ["iCloud.org.example.Test", "iCloud.mit Umlaut ä?&#%+", "iCloud.日本"],
        ["https://cloud.test", "https://cloud.test:8443/", "http://127.0.0.1:1/base path/nephos", "http://[::1]:1"])
    func whatIsSentIsSigned(id: String, server: String) async throws {
        let transport = ScriptedTransport {
            .json($0.path == "users/caller" ? #"{"userRecordName":"_key"}"# : #"{"records":[]}"#)
        }
        let encoded = try #require(server.addingPercentEncoding(withAllowedCharacters: .urlFragmentAllowed))
        let query = CKQuery(recordType: "Note", predicate: NSPredicate(value: true))
        _ = try await container(transport, id, server.contains("[") ? server : encoded).publicCloudDatabase
            .records(matching: query)
        #expect(transport.requests.map(\.path) == ["users/caller", "records/query"])
        for request in transport.requests { try check(request) }
    }

    @Test func everyTryIsSignedAnew() async throws {
        let tries = LockedBox(0)
        let transport = ScriptedTransport { _ in
            tries.withLock {
                $0 += 1; return $0
            } == 1 ? .answer(503, []) : .json(#"{"userRecordName":"_key"}"#)
        }
        let terms = Service.Terms(patience: Date().addingTimeInterval(60))
        _ = try await container(transport, "iCloud.a", "https://cloud.test").service.confirmUser(terms)
        let signatures = Set(transport.requests.map { $0.headers["X-Apple-CloudKit-Request-SignatureV1"] })
        #expect(signatures.count == 2)
        for request in transport.requests { try check(request) }
    }

    @Test func theKeyActsForAUserOfItsOwn() async throws {
        let transport = ScriptedTransport { _ in .json(#"{"userRecordName":"_key"}"#) }
        let container = container(transport, "iCloud.a", "https://cloud.test")
        #expect(try await container.userRecordID().recordName == "_key")
        #expect(try await container.accountStatus() == .noAccount)
    }

    @Test(arguments: ["", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----", "secret"])
    func textThatIsNoKeyIsAnError(pem: String) async throws {
        let transport = ScriptedTransport { _ in .json("{}") }
        let error = await #expect(throws: CKError.self) {
            try await CKContainer.test(transport, configuration(pem)).userRecordID()
        }
        #expect(error?.code == .missingEntitlement && transport.requests.isEmpty)
        #expect(error?.localizedDescription.contains("key") == true)
        #expect(pem.isEmpty || error?.localizedDescription.contains(pem) == false)
    }
}
