import CloudKitWire
import Foundation
import Testing

@testable import NephosKit

/// docs/client.md, "Errors": the table of all codes matches the library.
@Suite struct ErrorTableTests {
    struct Row: Sendable {
        var code: String
        var number: Int
        var kind: String
        /// `NOT_FOUND`, or `BAD_REQUEST with 21`: an error code on the wire, and the number sent with it.
        var words: [String]
        var advice: String
    }

    private static let codes = (1...100).compactMap(CKError.Code.init(rawValue:))

    private static func rows() throws -> [Row] {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
        let page = try String(contentsOf: root.appending(path: "docs/client.md"), encoding: .utf8)
        return page.split(separator: "\n").compactMap { line in
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count == 5, let number = Int(cells[1]) else { return nil }
            let words = cells[3].replacing("`", with: "").split(separator: ", ").map(String.init).filter { $0 != "-" }
            return Row(
                code: cells[0].replacing("`", with: ""), number: number, kind: cells[2], words: words,
                advice: cells[4].replacing("`", with: ""))
        }
    }

    @Test("All errors are in one table: code, class, wire, advice (S1-36)") func table() throws {
        let rows = try Self.rows()
        #expect(rows.map(\.number) == Self.codes.map(\.rawValue), "every code, and no other")
        for (row, code) in zip(rows, Self.codes) {
            #expect(row.code == "\(code)" && row.advice == Self.word(CKError(code).advice), "\(row)")
            #expect(row.kind == Self.kind(code), "\(row)")
            for word in row.words { #expect(try Self.code(of: word) == code, "\(row)") }
        }
        let words = Set(rows.flatMap(\.words).map { $0.prefix { $0 != " " } }.map(String.init))
        #expect(words.isSuperset(of: ServerErrorCode.allCases.map(\.rawValue)), "every word of the wire")
    }

    @Test("An error with a retry delay is retried after it, unless a person must act") func waits() {
        for code in Self.codes {
            let advice = CKError(code, userInfo: [CKErrorRetryAfterKey: 7.0]).advice
            switch CKError(code).advice {
            case .retry, .fixTheCode: #expect(advice == .retry(after: 7), "\(code)")
            case let other: #expect(advice == other, "\(code)")
            }
        }
    }

    /// Fatal errors, for any request and with retries enabled: sent once, and reported with the server's reason.
    @Test("Fatal errors are not retried, but reported to the person with the reason (S1-32)") func fatal() async throws
    {
        let fatal = Self.codes.filter { Self.kind($0) == "fatal" }
        #expect(fatal.count == 17)
        for code in fatal {
            let answer = #"{"serverErrorCode":"BAD_REQUEST","reason":"so it is","ckErrorCode":\#(code.rawValue)}"#
            let transport = ScriptedTransport.signedIn { _ in .json(answer, status: 400) }
            let patient = CKOperation.Configuration()
            patient.qualityOfService = .background
            let error = await #expect(throws: CKError.self) {
                try await CKContainer.test(transport).configuredWith(configuration: patient) {
                    try await $0.publicCloudDatabase.record(for: CKRecord.ID(recordName: "a"))
                }
            }
            #expect(error?.code == code && error?.localizedDescription == "so it is")
            #expect(error?.advice == .tellThePerson || error?.advice == .fixTheCode, "\(code)")
            #expect(transport.requests("records/lookup").count == 1, "\(code)")
        }
    }

    /// The code in programs for an error code on the wire, with the number after "with".
    private static func code(of word: String) throws -> CKError.Code {
        let parts = word.split(separator: " ")
        return ServerError(code: String(parts[0]), reason: "", ckErrorCode: parts.last.flatMap { Int($0) }).ckCode
    }

    private static func kind(_ code: CKError.Code) -> String {
        if code == .networkUnavailable { return "offline" }
        if CKError(code).mayPass || code == .serverResponseLost { return "service" }
        switch code {
        case .notAuthenticated, .accountTemporarilyUnavailable, .managedAccountRestricted: return "account"
        default: break
        }
        return switch CKError(code).advice {
        case .tellThePerson, .fixTheCode: "fatal"
        case .retry, .merge, .fetchAgain, .split, .lookIntoItems, .forgetIt: "data"
        case .nothing: "none"
        }
    }

    private static func word(_ advice: CKError.Advice) -> String {
        switch advice {
        case .retry: "retry(after:)"
        case .merge, .fetchAgain, .split, .lookIntoItems, .tellThePerson, .forgetIt, .fixTheCode, .nothing: "\(advice)"
        }
    }
}
