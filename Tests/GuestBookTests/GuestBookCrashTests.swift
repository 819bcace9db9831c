import NephosTesting
import Synchronization
import Testing

/// docs/decisions/0028, 0030: a feature's data is written with the record, or not at all.
@Suite("A guest book whose server is killed", .serialized) struct GuestBookCrashTests {
    private static let people = 4

    @Test("After each kill the count equals the number of signatures, and nobody has more than allowed")
    func kills() throws {
        let book = try GuestBookServer(people: Self.people)
        #expect(try book.keep("most 12").status == 0)
        var there = Set<String>()
        for round in 0..<4 {
            let known = try Self.signUntilKilled(book, round, there)
            try book.first.start()
            there = Set(try book.client().signatures())
            let counts = try book.client().counts()
            #expect(known.isSubset(of: there), "round \(round): acknowledged, and not there")
            #expect(counts.signed - counts.removed == Int64(there.count), "round \(round)")
            for person in 0..<Self.people { #expect(there.count { $0.hasPrefix("\(person) ") } <= 12) }
            try book.check()
        }
    }

    /// All sign and withdraw signatures, until the server is killed at an arbitrary point.
    ///
    /// - Parameter there: Names of signatures that existed before.
    /// - Returns: Names of signatures that certainly exist.
    private static func signUntilKilled(
        _ book: GuestBookServer, _ round: Int, _ there: Set<String>
    ) throws -> Set<String> {
        let certain = Mutex(there)
        let answers = Atomic<Int>(0)
        try inThreads(people + 1) { person in
            guard person < people else {
                let haveBegun = Deadline().waits { answers.load(ordering: .relaxed) > 40 + 23 * round }
                guard haveBegun else { throw WrongAnswer(description: "nobody signs") }
                return try book.first.kill()
            }
            let client = book.client(person)
            for number in 0... {
                let name = "\(person) \(number % 16)"
                let isRemoval = number % 5 == 4
                // The request interrupted by the kill has no response.
                certain.withLock { names in if isRemoval { names.remove(name) } }
                do {
                    let refusal = try isRemoval ? client.remove(name) : client.sign(name, "Hello")
                    if refusal.isEmpty, !isRemoval { certain.withLock { _ = $0.insert(name) } }
                } catch { return }
                answers.add(1, ordering: .relaxed)
            }
        }
        return certain.withLock(\.self)
    }
}
