import Foundation
import NephosTesting
import Testing

@testable import NephosKit

/// Redirects are not followed: they would send tokens and records to another server.
@Suite struct RedirectTests {
    @Test(arguments: [301, 302, 303, 307, 308]) func nothingIsSentToTheOtherServer(status: Int) async throws {
        let other = try ScriptedServer(.answer(200, Question.fetch.good.description))
        let server = try BrokenConnectionTests.server([
            .answer(status, "", "Location: \(other.url.absoluteString)/there")
        ])
        defer {
            other.stop()
            server.stop()
        }
        for question in [Question.fetch, .save] {
            #expect(await BrokenConnectionTests.outcome(question, server.url) == .error(.networkFailure))
        }
        #expect(other.connections == 0)
        #expect(server.requests.filter { $0.line.contains("/records/") }.count == 2)
    }

    @Test func norIsTheFirstOneAskedAgain() async throws {
        let server = try BrokenConnectionTests.server([.answer(302, "", "Location: /database/1/elsewhere")])
        defer { server.stop() }
        #expect(await BrokenConnectionTests.outcome(.fetch, server.url) == .error(.networkFailure))
        #expect(server.requests.count == 2)
        #expect(!server.requests.contains { $0.line.contains("elsewhere") })
    }

    @Test func theMessageNamesWhereItWouldHaveGone() async throws {
        let server = try ScriptedServer(.answer(301, "", "Location: https://cloud.example.org/new"))
        defer { server.stop() }
        let container = BrokenConnectionTests.container(server.url)
        let error = await #expect(throws: CKError.self) { try await container.accountStatus() }
        #expect(error?.localizedDescription.contains("https://cloud.example.org/new") == true)
    }

    @Test(
        arguments: [
            "", "/", "//", "//host", "?a=%zz", "#", "http://", "http://[::1", "x:y", "file:///etc/passwd", "/a b", "/ü",
            "//h:99999/", "//h:-1", "data:,x", "//[::1]/", "//[::1", "http://[fe80::1%25eth0]/", "//@/", "//:@:/",
        ])
    func oddPlacesAreRefusedAlike(location: String) async throws {
        let server = try BrokenConnectionTests.server([.answer(302, "", "Location: \(location)")])
        defer { server.stop() }
        #expect(await BrokenConnectionTests.outcome(.fetch, server.url) == .error(.networkFailure))
    }
}
