import Foundation
import NephosTesting
import Testing

@testable import NephosKit
@testable import NephosTransport

/// Signing in with a code that the user enters on a page (docs/client.md, "Signing in").
@Suite struct CodeTests {
    private static let code = """
        {"device_code":"d+1","user_code":"BCDF-GHJK","verification_uri":"http://nephos.test/device","expires_in":600,"interval":5}
        """
    private static func no(_ word: String, _ code: String, status: Int = 400) -> Result<TransportAnswer, TransportFault>
    {
        .json(
            #"{"error":"\#(word)","serverErrorCode":"\#(code)","reason":"as the server says","retryAfter":5}"#,
            status: status)
    }
    private static let pending = no("authorization_pending", "TRY_AGAIN_LATER")
    private static let yes = Result<TransportAnswer, TransportFault>.json(
        #"{"access_token":"new","token_type":"ckWebAuthToken","expires_in":1209600}"#)

    /// A container of Ada's, whose server gives these responses to requests for a session; and the waiting time before each.
    private static func container(
        _ answers: [Result<TransportAnswer, TransportFault>], credentials: CredentialsFile? = nil
    ) -> (container: CKContainer, transport: ScriptedTransport, waits: LockedBox<[Double]>) {
        let (rest, waits) = (LockedBox(answers), LockedBox<[Double]>([]))
        let transport = ScriptedTransport { request in
            if request.path == "sign-in/device-code" { return .json(code) }
            return rest.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
        }
        let container = CKContainer.test(
            transport, credentials: credentials, pause: { seconds in waits.withLock { $0.append(seconds) } })
        return (container, transport, waits)
    }

    private static func form(_ request: TransportRequest) -> String { String(decoding: request.bytes, as: UTF8.self) }

    @Test func aCodeIsShownAndAskedForUntilSomebodyHasTypedIt() async throws {
        let folder = try TemporaryFolder()
        let file = CredentialsFile(folder: URL(fileURLWithPath: folder.path))
        let (container, transport, waits) = Self.container(
            [Self.pending, Self.no("slow_down", "THROTTLED"), .fault(.noNetwork), Self.yes], credentials: file)
        let shown = LockedBox("")
        try await container.signIn { code, page in
            #expect(transport.requests.count == 1 && container.service.webAuthToken == "first")
            shown.withLock { $0 = "\(code) \(page)" }
        }
        #expect(shown.value == "BCDF-GHJK http://nephos.test/device")
        #expect(waits.value == [5, 5, 10, 10])
        #expect(container.service.webAuthToken == "new")
        let kept = try file.read().entries.values.map(\.webAuthToken)
        #expect(kept == ["new"])
        // Both are the app's requests, whoever is signed in.
        #expect(transport.requests.allSatisfy { $0.parameter("ckWebAuthToken") == nil })
        #expect(transport.requests.allSatisfy { $0.headers["Content-Type"] == "application/x-www-form-urlencoded" })
        let client = try #require(NephosConfiguration.test.apiToken)
        #expect(Self.form(transport.requests[0]) == "client_id=\(client)")
        let asked =
            "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code&device_code=d%2B1&client_id=\(client)"
        #expect(transport.requests.dropFirst().allSatisfy { Self.form($0) == asked })
        #expect(transport.requests.last?.url.path.hasSuffix("/development/sign-in/token") == true)
    }

    @Test(arguments: [
        (no("access_denied", "ACCESS_DENIED"), CKError.Code.permissionFailure),
        (no("expired_token", "AUTHENTICATION_FAILED"), .notAuthenticated),
        (pending, .notAuthenticated), (.json("{}"), .internalError),
    ])
    func whoSaysNoOrNothingIsNotSignedIn(answer: Result<TransportAnswer, TransportFault>, code: CKError.Code)
        async throws
    {
        let (container, _, waits) = Self.container([answer])
        let error = await #expect(throws: CKError.self) { try await container.signIn(remembering: false) { _, _ in } }
        #expect(error?.code == code && container.service.webAuthToken == "first")
        // Ten minutes, and no longer.
        #expect(waits.value.reduce(0, +) < 600)
    }

    @Test func whoeverSignsInMeanwhileStays() async throws {
        let (container, _, _) = Self.container([Self.yes])
        let error = await #expect(throws: CKError.self) {
            try await container.signIn(remembering: false) { _, _ in try container.signIn(webAuthToken: "other") }
        }
        #expect(error?.code == .notAuthenticated && container.service.webAuthToken == "other")
    }

    @Test func whatCannotBeShownEndsIt() async throws {
        struct NoScreen: Error {}
        let (container, transport, _) = Self.container([Self.yes])
        await #expect(throws: NoScreen.self) { try await container.signIn { _, _ in throw NoScreen() } }
        #expect(transport.requests.count == 1 && container.service.webAuthToken == "first")
    }

    @Test func withoutAnAPITokenAndAtApplesServiceThereIsNoCode() async throws {
        let transport = ScriptedTransport { _ in .fault(.local) }
        var configuration = NephosConfiguration.test
        configuration.service = .apple
        for code in [CKError.Code.serverRejectedRequest, .missingEntitlement] {
            let container = CKContainer.test(transport, configuration)
            let error = await #expect(throws: CKError.self) { try await container.signIn { _, _ in } }
            #expect(error?.code == code)
            configuration.service = .nephos
            configuration.apiToken = nil
        }
        #expect(transport.requests.isEmpty)
    }
}
