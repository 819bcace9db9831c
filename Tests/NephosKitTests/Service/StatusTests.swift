import Foundation
import NephosTesting
import Testing

@testable import NephosKit

/// Error responses of services like CloudKit (docs/protocol.md, E1 to E5) and of proxies before them.
@Suite struct StatusTests {
    /// A response, and the program's result.
    struct Row: Sendable, CustomTestStringConvertible {
        var status: Int
        var body: String
        var headers: [String: String] = [:]
        var code: CKError.Code
        /// For a change, if it differs.
        var changeCode: CKError.Code?
        var retryAfter: Double?

        var testDescription: String { "\(status) \(headers) \(body.prefix(60))" }
    }

    private static let html = "<html><body>No.</body></html>"

    /// Responses of a proxy, a gateway, or a server other than CloudKit.
    static let strangers: [Row] =
        [
            Row(status: 301, body: html, headers: ["location": "http://other.test/"], code: .networkFailure),
            Row(status: 302, body: "", headers: ["location": "/login"], code: .networkFailure),
            Row(status: 303, body: "", headers: ["location": "//[::1]/"], code: .networkFailure),
            Row(status: 304, body: "", code: .networkFailure),
            Row(status: 307, body: "", headers: ["location": "::::"], code: .networkFailure),
            Row(status: 308, body: "", code: .networkFailure),
            Row(status: 201, body: "{}", code: .internalError, changeCode: .serverResponseLost),
            Row(status: 204, body: "", code: .internalError, changeCode: .serverResponseLost),
            Row(status: 408, body: html, code: .networkFailure, changeCode: .serverResponseLost),
            Row(status: 413, body: html, code: .limitExceeded),
            Row(status: 429, body: html, code: .requestRateLimited),
            Row(status: 429, body: "", headers: ["retry-after": "7"], code: .requestRateLimited, retryAfter: 7),
            Row(status: 503, body: html, code: .serviceUnavailable),
            Row(status: 503, body: "", headers: ["retry-after": "2.5"], code: .serviceUnavailable, retryAfter: 2.5),
            Row(
                status: 503, body: "", headers: ["retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"],
                code: .serviceUnavailable),
            Row(status: 503, body: "", headers: ["retry-after": "nan"], code: .serviceUnavailable),
            Row(status: 503, body: "", headers: ["retry-after": "-3"], code: .serviceUnavailable),
            Row(
                status: 503, body: "", headers: ["retry-after": "1e400"], code: .serviceUnavailable, retryAfter: 86_400),
        ]
        + [500, 501, 502, 504, 520, 599, 999].map {
            Row(status: $0, body: html, code: .serviceUnavailable, changeCode: .serverResponseLost)
        }
        + [0, 100, 199, 400, 401, 403, 404, 405, 407, 409, 410, 414, 418, 421, 431, 451].map {
            Row(status: $0, body: html, code: .serverRejectedRequest)
        }

    private static func dictionary(_ code: String, _ more: String = "") -> String {
        #"{"uuid":"u","serverErrorCode":"\#(code)","reason":"it is so, says the server"\#(more)}"#
    }

    /// Responses of our service, which contain `ckErrorCode`, and of Apple's.
    static let services: [Row] = [
        Row(status: 401, body: dictionary("AUTHENTICATION_FAILED"), code: .notAuthenticated),
        Row(status: 421, body: dictionary("AUTHENTICATION_REQUIRED"), code: .notAuthenticated),
        Row(status: 403, body: dictionary("ACCESS_DENIED"), code: .permissionFailure),
        Row(status: 404, body: dictionary("NOT_FOUND"), code: .unknownItem),
        Row(status: 409, body: dictionary("CONFLICT"), code: .serverRecordChanged),
        Row(status: 409, body: dictionary("EXISTS"), code: .serverRecordChanged),
        Row(status: 400, body: dictionary("BAD_REQUEST"), code: .invalidArguments),
        Row(status: 400, body: dictionary("BAD_REQUEST", #","ckErrorCode":21"#), code: .changeTokenExpired),
        Row(status: 400, body: dictionary("BAD_REQUEST", #","ckErrorCode":27"#), code: .limitExceeded),
        Row(status: 400, body: dictionary("ATOMIC_ERROR"), code: .batchRequestFailed),
        Row(status: 412, body: dictionary("VALIDATING_REFERENCE_ERROR"), code: .referenceViolation),
        Row(status: 413, body: dictionary("BAD_REQUEST"), code: .limitExceeded),
        Row(status: 413, body: dictionary("QUOTA_EXCEEDED"), code: .quotaExceeded),
        Row(status: 408, body: dictionary("BAD_REQUEST"), code: .networkFailure, changeCode: .serverResponseLost),
        Row(status: 429, body: dictionary("THROTTLED"), code: .requestRateLimited),
        Row(status: 429, body: dictionary("THROTTLED", #","retryAfter":9"#), code: .requestRateLimited, retryAfter: 9),
        Row(
            status: 503, body: dictionary("TRY_AGAIN_LATER"), headers: ["retry-after": "4"], code: .serviceUnavailable,
            retryAfter: 4),
        Row(
            status: 503, body: dictionary("TRY_AGAIN_LATER", #","retryAfter":-1"#), code: .serviceUnavailable,
            retryAfter: 0),
        Row(
            status: 503, body: dictionary("TRY_AGAIN_LATER", #","retryAfter":1e300"#), code: .serviceUnavailable,
            retryAfter: 86_400),
        Row(status: 500, body: dictionary("INTERNAL_ERROR"), code: .serverRejectedRequest),
        Row(status: 500, body: dictionary("INTERNAL_ERROR", #","ckErrorCode":1"#), code: .internalError),
        Row(status: 400, body: dictionary("NEVER_HEARD_OF"), code: .internalError),
        Row(status: 400, body: dictionary("NOT_FOUND", #","ckErrorCode":9999"#), code: .unknownItem),
        Row(status: 400, body: dictionary("NOT_FOUND", #","ckErrorCode":-1"#), code: .unknownItem),
        Row(status: 400, body: dictionary("NOT_FOUND", #","ckErrorCode":null"#), code: .unknownItem),
        Row(status: 302, body: dictionary("NOT_FOUND"), code: .unknownItem),
        // An unreadable response is judged by its status.
        Row(status: 400, body: dictionary("NOT_FOUND", #","ckErrorCode":"11""#), code: .serverRejectedRequest),
        Row(status: 400, body: dictionary("NOT_FOUND", #","ckErrorCode":1e30"#), code: .serverRejectedRequest),
        Row(status: 503, body: dictionary("NOT_FOUND", #","retryAfter":"soon""#), code: .serviceUnavailable),
        Row(status: 404, body: #"{"serverErrorCode":404,"reason":"x"}"#, code: .serverRejectedRequest),
        Row(status: 404, body: #"{"reason":"x"}"#, code: .serverRejectedRequest),
        Row(status: 404, body: #"[{"serverErrorCode":"NOT_FOUND"}]"#, code: .serverRejectedRequest),
    ]

    @Test(arguments: strangers + services) func aRefusalIsAnError(_ row: Row) async {
        for question in Question.all {
            let expected = question.isChange ? row.changeCode ?? row.code : row.code
            let outcome = await question.outcome { _ in .answer(row.status, row.body.utf8, row.headers) }
            // Without a signed-in user there is no account, which is not an error.
            let signedOut = Outcome.result("\(CKAccountStatus.noAccount)")
            let isAccount = question.name == Question.account.name && row.code == .notAuthenticated
            #expect(outcome == (isAccount ? signedOut : .error(expected)), "\(question.name)")
        }
    }

    @Test("Errors contain the server's retry delay from header or body (S1-33)", arguments: strangers + services)
    func itTellsHowLongToWait(_ row: Row) async throws {
        let container = CKContainer.test(
            ScriptedTransport { _ in .answer(row.status, row.body.utf8, row.headers) })
        let error = await #expect(throws: CKError.self) { try await container.userRecordID() }
        #expect(error?.code == row.code)
        #expect(error?.retryAfterSeconds == row.retryAfter)
    }

    @Test func theMessageIsTheServersReason() async {
        let container = CKContainer.test(
            ScriptedTransport { _ in .json(Self.dictionary("NEVER_HEARD_OF"), status: 400) })
        let error = await #expect(throws: CKError.self) { try await container.userRecordID() }
        #expect(error?.localizedDescription == "it is so, says the server")
        #expect(error?.userInfo["ServerErrorDescription"] as? String == "NEVER_HEARD_OF: it is so, says the server")
        #expect(error?.userInfo["RequestUUID"] as? String == "u")
    }

    @Test func aRedirectionSaysWhereTo() async {
        let container = CKContainer.test(
            ScriptedTransport { _ in .answer(301, "".utf8, ["location": "https://new.test/"]) })
        let error = await #expect(throws: CKError.self) { try await container.userRecordID() }
        #expect(error?.localizedDescription.contains("https://new.test/") == true)
        #expect(error?.localizedDescription.contains("serverURL") == true)
    }

    @Test("The message of a redirect contains neither tokens nor control characters, and is short")
    func aRedirectionKeepsSecrets() async {
        let query = "ckAPIToken=api-secret&ckWebAuthToken=person-secret"
        let long = String(repeating: "x", count: 10_000)
        let rows: [(location: String, shown: String?)] = [
            ("https://new.test:8443/a/b?\(query)", "redirects to https://new.test:8443/a/b,"),
            ("https://new.test/#\(query)", "redirects to https://new.test/,"),
            ("https://user:\(query)@new.test/c", nil), ("https://user:person-secret@new.test/c", nil),
            ("/login?\(query)", "redirects,"), ("//new.test/?\(query)", "redirects,"),
            ("ftp://new.test/?\(query)", "redirects,"), ("https:\(query)", "redirects,"), (query, "redirects,"),
            ("https://new.test/\u{1B}[31m?\(query)", nil), ("https://new.test/\(long)?\(query)", nil),
        ]
        for (location, shown) in rows {
            let container = CKContainer.test(ScriptedTransport { _ in .answer(302, "".utf8, ["location": location]) })
            let error = await #expect(throws: CKError.self) { try await container.userRecordID() }
            let message = error?.localizedDescription ?? ""
            #expect(!message.contains("secret") && !message.contains("ckAPIToken"), "\(message)")
            #expect(message.utf8.allSatisfy { (0x20...0x7E).contains($0) } && message.count < 400, "\(message)")
            if let shown { #expect(message.contains(shown), "\(message)") }
        }
    }
}
