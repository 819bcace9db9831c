import Foundation
import NephosTesting
import Testing

@testable import NephosKit
@testable import NephosTransport

/// Sessions: their tokens change with every response, they end, and another user's begin.
@Suite struct SessionTests {
    private static let header = "x-apple-cloudkit-web-auth-token"
    private static let ended = #"{"serverErrorCode":"AUTHENTICATION_REQUIRED","reason":"sign in, please"}"#

    private static func good(_ token: String?) -> Result<TransportAnswer, TransportFault> {
        .json(#"{"userRecordName":"_me"}"#, token.map { [header: $0] } ?? [:])
    }

    private func tokens(_ transport: ScriptedTransport) -> [String?] {
        transport.requests.map { $0.parameter("ckWebAuthToken") }
    }

    // MARK: Tokens

    @Test func theNextRequestHasTheNewestToken() async throws {
        let next = LockedBox(["second+/=", "third&?", nil, "", "fourth"])
        let transport = ScriptedTransport { _ in Self.good(next.withLock { $0.removeFirst() }) }
        let container = CKContainer.test(transport)
        for _ in 0..<5 { _ = try await container.accountStatus() }
        // A missing or empty token changes nothing.
        #expect(tokens(transport) == ["first", "second+/=", "third&?", "third&?", "third&?"])
        #expect(container.service.webAuthToken == "fourth")
    }

    @Test("A token that cannot be part of a request is not taken over")
    func unusableTokens() async throws {
        for token in ["a b", "a\n", "\u{1B}", "\u{E9}", "\u{0}", String(repeating: "x", count: 4_097)] {
            let transport = ScriptedTransport { _ in Self.good(token) }
            let container = CKContainer.test(transport)
            for _ in 0..<2 { _ = try await container.accountStatus() }
            #expect(tokens(transport) == ["first", "first"] && container.service.webAuthToken == "first")
        }
        let longest = String(repeating: "x", count: 4_096)
        let container = CKContainer.test(ScriptedTransport { _ in Self.good(longest) })
        _ = try await container.accountStatus()
        #expect(container.service.webAuthToken == longest)
    }

    @Test func errorsBringTokensToo() async throws {
        let transport = ScriptedTransport { _ in .json("", status: 503, [Self.header: "second"]) }
        let container = CKContainer.test(transport)
        _ = try? await container.accountStatus()
        #expect(container.service.webAuthToken == "second")
    }

    @Test func whoIsNotSignedInGetsNoToken() async throws {
        var configuration = NephosConfiguration.test
        configuration.webAuthToken = nil
        let transport = ScriptedTransport { _ in .json(#"{"records":[]}"#, [Self.header: "somebody's"]) }
        let container = CKContainer.test(transport, configuration)
        let query = CKQuery(recordType: "Note", predicate: NSPredicate(value: true))
        _ = try await container.publicCloudDatabase.records(matching: query)
        #expect(tokens(transport) == [nil] && container.service.webAuthToken == nil)
    }

    // MARK: Ends

    /// How often a change of a container's account is reported while `body` runs.
    private func changes(_ body: () async throws -> Void) async rethrows -> Int {
        let count = LockedBox(0)
        let marker = UUID().uuidString
        let observer = NotificationCenter.default.addObserver(forName: .CKAccountChanged, object: nil, queue: nil) {
            _ in
            // Other observers receive notifications of concurrent tests.
            if SessionTests.test == marker { count.withLock { $0 += 1 } }
        }
        defer { NotificationCenter.default.removeObserver(observer) }
        try await SessionTests.$test.withValue(marker) { try await body() }
        return count.value
    }
    @TaskLocal private static var test: String?

    @Test func anEndedSessionIsToldOnce() async throws {
        let transport = ScriptedTransport { _ in .json(Self.ended, status: 421) }
        let container = CKContainer.test(transport)
        let service = container.service
        let told = await changes {
            for _ in 0..<3 {
                let error = await #expect(throws: CKError.self) { try await service.confirmUser(Service.Terms()) }
                #expect(error?.code == .notAuthenticated)
            }
        }
        #expect(told == 1)
        #expect(try await container.accountStatus() == .noAccount)
        #expect(tokens(transport) == ["first", nil, nil])
    }

    @Test func severalAnswersEndASessionOnce() async throws {
        let gate = Gate(4)
        let transport = ScriptedTransport { _ in
            await gate.arrive()
            return .json(Self.ended, status: 421)
        }
        let service = CKContainer.test(transport).service
        let told = await changes {
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<4 { group.addTask { _ = try? await service.confirmUser(Service.Terms()) } }
            }
        }
        #expect(told == 1 && !service.isSignedIn)
    }

    /// A gateway that does not know sessions responds with 421 to a request for another host.
    @Test(arguments: [
        "", "<html>Misdirected Request</html>", "{}", #"{"serverErrorCode":"NOT_FOUND","reason":"none"}"#,
    ])
    func onlyAServiceEndsASession(body: String) async throws {
        let service = CKContainer.test(ScriptedTransport { _ in .json(body, status: 421) }).service
        let told = await changes {
            _ = await #expect(throws: CKError.self) { try await service.confirmUser(Service.Terms()) }
        }
        #expect(told == 0 && service.webAuthToken == "first")
    }

    @Test func aRefusedTokenSaysNothingOfANewerOne() async throws {
        let gate = Gate(2)
        let renewed = Eventually<Void>()
        let transport = ScriptedTransport { request in
            await gate.arrive()
            if request.path == "users/caller" { return Self.good("second") }
            await renewed.wait()
            return .json(Self.ended, status: 421)
        }
        let service = CKContainer.test(transport).service
        let late = Task {
            await #expect(throws: CKError.self) {
                try await service.answer(to: Service.Request("zones/list", .private, []), Service.Terms())
            }
        }
        try await service.confirmUser(Service.Terms())
        renewed.set(())
        #expect(await late.value?.code == .notAuthenticated)
        #expect(service.webAuthToken == "second")
    }

    // MARK: Another user

    @Test(arguments: [200, 421, 503]) func aLateAnswerChangesNothingForWhoCameAfter(status: Int) async throws {
        let (arrived, answered) = (Eventually<Void>(), Eventually<Void>())
        let transport = ScriptedTransport { request in
            guard request.parameter("ckWebAuthToken") == "first" else { return Self.good(nil) }
            arrived.set(())
            await answered.wait()
            let body = status == 200 ? #"{"userRecordName":"_old"}"# : Self.ended
            return .json(body, status: status, [Self.header: "late"])
        }
        let container = CKContainer.test(transport)
        let told = try await changes {
            let old = Task { try? await container.userRecordID() }
            await arrived.wait()
            try container.signIn(webAuthToken: "new")
            answered.set(())
            _ = await old.value
        }
        // For the user who signed in, and nothing else.
        #expect(told == 1 && container.service.webAuthToken == "new")
        #expect(try await container.userRecordID().recordName == "_me")
    }

    /// What a user wanted to save must never be saved as another user, however long it waits.
    @Test func aRequestThatWaitsIsNotSentForAnotherPerson() async throws {
        let box = LockedBox<CKContainer?>(nil)
        let transport = ScriptedTransport.signedIn { _ in .answer(503, []) }
        let container = CKContainer.test(
            transport,
            pause: { _ in
                // Once: a second wait would be one for the other user.
                guard let container = box.withLock({ $0.take() }) else { throw CancellationError() }
                try container.signIn(webAuthToken: "new")
            })
        box.withLock { $0 = container }
        let configuration = CKOperation.Configuration()
        configuration.qualityOfService = .utility
        let outcome = await container.configuredWith(configuration: configuration) { await Question.save.outcome($0) }
        #expect(outcome == .error(.notAuthenticated))
        #expect(tokens(transport) == ["first", "first"])
    }

    @Test(arguments: [(false, "{}"), (true, #"{"everywhere":true}"#)])
    func aSessionIsEndedAtTheServer(everywhere: Bool, body: String) async throws {
        let transport = ScriptedTransport { _ in .json(#"{"sessions":1,"devices":0}"#) }
        let container = CKContainer.test(transport)
        try await container.endSession(everywhere: everywhere)
        let request = try #require(transport.requests.first)
        #expect(request.url.path.hasSuffix("/nephos/1/\(container.service.container)/development/sign-in/sign-out"))
        #expect(tokens(transport) == ["first"] && String(decoding: request.bytes, as: UTF8.self) == body)
        #expect(!container.service.isSignedIn)
        // There is no session to end.
        try await container.endSession()
        #expect(transport.requests.count == 1)
    }

    @Test func aSessionThatHasEndedIsLeft_andOneThatTheServerDoesNotEndStays() async throws {
        let over = CKContainer.test(ScriptedTransport { _ in .json(Self.ended, status: 421) })
        try await over.endSession()
        #expect(!over.service.isSignedIn)
        let busy = CKContainer.test(ScriptedTransport { _ in .json("", status: 503) })
        await #expect(throws: CKError.self) { try await busy.endSession() }
        #expect(busy.service.webAuthToken == "first")
    }

    @Test func signingInAndOutIsTold() async throws {
        let container = CKContainer.test(ScriptedTransport { _ in Self.good(nil) })
        let told = try await changes {
            try container.signIn(webAuthToken: "new")
            try container.signOut()
        }
        #expect(told == 2)
        #expect(try await container.accountStatus() == .noAccount)
    }
}

/// Blocks everybody until this many have arrived.
final class Gate: Sendable {
    private let count: Int
    private let waiting = LockedBox<[Eventually<Void>]>([])

    init(_ count: Int) { self.count = count }

    func arrive() async {
        let mine = Eventually<Void>()
        let all = waiting.withLock { waiting in
            waiting.append(mine)
            return waiting.count >= count ? waiting : []
        }
        for one in all { one.set(()) }
        await mine.wait()
    }
}
