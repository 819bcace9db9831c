import CloudKit
import Foundation
import Testing

@testable import NephosKit

/// Functions for one item, and their counterparts for many: Apple's names of both are in Tests/InventoryTests/symbols.txt, which is
/// checked by the compiler.
@Suite struct CounterpartTests {
    /// By topic: "CKDatabase.record(for:)" of "Database: one record".
    private static func symbols() throws -> [(topic: String, name: String)] {
        let list = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../InventoryTests/symbols.txt")
        return try String(contentsOf: list, encoding: .utf8).split(separator: "\n").map { line in
            let cells = line.components(separatedBy: " | ")
            return (cells[0], cells[1])
        }
    }

    @available(*, deprecated, message: "Some of them are deprecated.")
    /// Except that a batch does not report what was deleted already (docs/protocol.md, M14).
    @Test("Every call for one item has a counterpart for a batch, which sends the server the same request")
    func counterparts() async throws {
        for counterpart in Counterpart.all {
            var asked: [String] = []
            for call in counterpart.calls {
                let transport = ScriptedTransport.signedIn { _ in .answer(400, []) }
                // It fails, as everything does here; the request matters.
                try? await call(CKContainer.test(transport).privateCloudDatabase)
                let request = try #require(transport.requests.last { $0.path != "users/caller" })
                asked.append("\(request.path) \(String(decoding: request.bytes, as: UTF8.self))")
            }
            asked = asked.map { $0.replacing(#""operationType":"forceDelete""#, with: #""operationType":"delete""#) }
            #expect(Set(asked).count == 1, "\(counterpart.one): \(asked)")
        }

        let symbols = try Self.symbols()
        let names = Set(symbols.map(\.name))
        let ones = symbols.filter { $0.topic.hasPrefix("Database: one ") }.map(\.name)
        #expect(ones.count == 24 && Set(ones) == Set(Counterpart.all.flatMap(\.one).map { "CKDatabase.\($0)" }))
        for counterpart in Counterpart.all {
            #expect(counterpart.calls.count == counterpart.one.count + counterpart.many.count + 1)
            for name in counterpart.many.map({ "CKDatabase.\($0)" }) + [counterpart.operation] {
                #expect(names.contains(name), "\(name)")
            }
        }
    }

    /// Declared until sharing is implemented.
    @Test("Container calls for one person or one share have counterparts too") func containers() throws {
        let names = try Set(Self.symbols().map(\.name))
        let plurals = [
            ("discoverUserIdentity(with", "discoverUserIdentities(for"), ("userIdentity(for", "userIdentities(for"),
            ("fetchShareParticipant(with", "fetchShareParticipants(for"),
            ("shareParticipant(for", "shareParticipants(for"),
        ]
        for (one, many) in plurals {
            for (kind, kinds) in [
                ("EmailAddress:", "EmailAddresses:"), ("PhoneNumber:", "PhoneNumbers:"),
                ("UserRecordID:", "UserRecordIDs:"),
            ] {
                let end = one.hasSuffix("with") ? "completionHandler:)" : ")"
                #expect(names.contains("CKContainer.\(one)\(kind)\(end)"), "\(one)\(kind)")
                #expect(names.contains("CKContainer.\(many)\(kinds)\(end)"), "\(many)\(kinds)")
            }
        }
        let share = ["fetchShareMetadatas(for:completionHandler:)", "shareMetadatas(for:)"]
        let accept = ["accept(_: [CKShare.Metadata], completionHandler:)", "accept(_: [CKShare.Metadata])"]
        #expect(names.isSuperset(of: (share + accept).map { "CKContainer.\($0)" }))
        #expect(
            names.isSuperset(of: [
                "CKDiscoverUserIdentitiesOperation.init(userIdentityLookupInfos:)",
                "CKFetchShareParticipantsOperation.init(userIdentityLookupInfos:)",
                "CKFetchShareMetadataOperation.init(shareURLs:)", "CKAcceptSharesOperation.init(shareMetadatas:)",
            ]))
    }
}
