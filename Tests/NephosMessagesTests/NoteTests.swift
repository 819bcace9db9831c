import CloudKitWire
import NephosBackend
import NephosDomain
import NephosRunner
import NephosStorage
import NephosTesting
import RequestTesting
import Testing

@testable import NephosMessages

/// docs/messages.md, "A message as a file".
@Suite("Notes about messages") struct NoteTests {
    private static let secret = "Ask Grace before it goes out"
    private static let messages = "/nephos/1/\(SmallCloud.container)/development/messages"

    /// As `nephos message note` does.
    private func write(_ own: MessageCloud, about message: Name) async throws {
        var set = ReadSet()
        set.databases = [Messages.database]
        try await own.store.commit(set) { _ in
            var writes = WriteSet()
            writes.put(MessageNoteRow(message: message, text: Self.secret, changedAt: 1, author: "ada"))
            return .write(writes, ())
        }
    }

    @Test("No endpoint shows a note to anybody: not with the message, its record, its mirror or its preview (S2-30)")
    func hidden() async throws {
        let own = try await MessageCloud(more: #","mirror":"Communs""#)
        #expect(try own.save("a", MessageCloud.complete(), at: own.now) == "")
        #expect(try own.save("draft", MessageCloud.complete()) == "")
        for message in ["a", "draft"] as [Name] { try await write(own, about: message) }
        await own.cloud.runDueJobs()
        let token = try await own.administration.createPreviewLink(to: "a", in: SmallCloud.tenant)
        let database = "/database/1/\(SmallCloud.container)/development/public"
        let requests = [
            ("GET", "\(Self.messages)/current", ""), ("POST", "\(Self.messages)/seen", #"{"id":"a","device":"d"}"#),
            ("GET", Messages.previewPath(SmallCloud.tenant, token: token), ""),
            ("POST", Messages.previewPath(SmallCloud.tenant, token: token), ""),
            ("POST", "\(database)/records/lookup", #"{"records":[{"recordName":"a"},{"recordName":"draft"}]}"#),
            ("POST", "\(database)/records/query", #"{"query":{"recordType":"Message"}}"#),
            ("POST", "\(database)/records/query", #"{"query":{"recordType":"Communs"}}"#),
            ("POST", "\(database)/changes/zone", #"{"zones":[{"zoneID":{"zoneName":"_defaultZone"}}]}"#),
            ("POST", "\(database)/records/changes", "{}"), ("POST", "\(database)/changes/database", "{}"),
        ]
        // There are no others for messages.
        let names = own.cloud.backend.features.flatMap(\.endpoints).map(\.name).filter { $0.hasPrefix("messages/") }
        #expect(Set(names) == ["messages/current", "messages/seen", "messages/preview"])
        var shown = ""
        for (method, target, body) in requests {
            for caller in SmallCloud.Caller.allCases {
                let answer = try own.cloud.ask(method, target, body, as: caller)
                let headers = answer.headers.map { "\($0)" }.joined()
                #expect(!(answer.text + headers).contains(Self.secret), "\(method) \(target) as \(caller)")
                shown += answer.text
            }
        }
        // The rest of both messages is shown to somebody, and the note was there all the time.
        #expect(shown.contains(#""id":"a""#) && shown.contains(#""recordName":"draft""#))
        #expect(shown.contains("isCurrent") && shown.contains("body (es)</"))
        #expect(try own.store.rows(MessageNoteRow.of(["a", "draft"])).map(\.text) == [Self.secret, Self.secret])
    }
}
