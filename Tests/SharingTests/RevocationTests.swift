import Foundation
import NephosBackend
import NephosRunner
import NephosStorage
import NephosTesting
import RequestTesting
import Synchronization
import Testing

/// docs/decisions/0064: access ends with the commit that takes it, on every server.
@Suite("Access that is taken back") struct RevocationTests {
    private static let readers = 16

    /// What the readers of a test have seen.
    private struct Seen {
        var before = 0
        var after = 0
        var leaks: [String] = []
    }

    @Test("From the moment the answer is there, no read that begins later succeeds: two servers, 16 readers")
    func underLoad() async throws {
        let people = try await SharingCloud()
        let second = try people.secondServer()
        defer { second.engine.close() }
        for round in 0..<4 {
            let share = try people.modify([people.share("Share-\(round)", of: "root", [people.participant(.friend)])])[
                0]
            let guid = try #require(share["shortGUID"].string)
            #expect(try people.accept(guid, as: .friend)["serverErrorCode"].isAbsent)
            let tag = try #require(try people.record("Share-\(round)")["recordChangeTag"].string)
            let isRevoked = Atomic(false)
            let seen = Mutex(Seen())
            let group = DispatchGroup()
            for reader in 0..<Self.readers {
                let responder = reader.isMultiple(of: 2) ? people.cloud.responder : second.server.responder
                group.enter()
                // A thread of its own, so that all read at the same time.
                Thread.detachNewThread {
                    defer { group.leave() }
                    var (rest, number) = (12, 0)
                    while rest > 0 {
                        number += 1
                        let isLate = isRevoked.load(ordering: .sequentiallyConsistent)
                        if isLate { rest -= 1 }
                        let text = people.read(number + reader, from: responder)
                        let isShown = text.contains("text of a")
                        seen.withLock { seen in
                            if isLate { seen.after += 1 } else if isShown { seen.before += 1 }
                            if isLate, isShown { seen.leaks.append(text) }
                        }
                    }
                }
            }
            let isBusy = Deadline().waits { seen.withLock { $0.before } >= 2 * Self.readers }
            #expect(isBusy, "the readers read before")
            let list = people.share("Share-\(round)", of: nil, [], tag: tag)
            let result = Result {
                try people.modify([round.isMultiple(of: 2) ? list : people.delete("Share-\(round)")])
            }
            isRevoked.store(true, ordering: .sequentiallyConsistent)
            _ = try result.get()
            group.wait()
            let all = seen.withLock { $0 }
            #expect(all.leaks.isEmpty, "\(all.leaks.prefix(3))")
            #expect(all.after == 12 * Self.readers)
            if round.isMultiple(of: 2) { try people.modify([people.delete("Share-\(round)")]) }
        }
    }
}

extension SharingCloud {
    /// One of several ways in which the friend reads a shared record. - Returns: The response.
    fileprivate func read(_ number: Int, from responder: any Responder) -> String {
        let (path, body) =
            switch number % 3 {
            case 0: ("lookup", #"{"zoneID":\#(zoneID),"records":[{"recordName":"a"}]}"#)
            case 1: ("query", #"{"zoneID":\#(zoneID),"query":{"recordType":"Note"}}"#)
            default: ("changes", #"{"zoneID":\#(zoneID)}"#)
            }
        let request = cloud.request(
            "POST", "/database/1/\(SmallCloud.container)/development/shared/records/\(path)", body: Array(body.utf8),
            as: .friend)
        guard case .answer(let answer) = responder.outcome(of: request) else { return "" }
        return answer.text
    }
}
