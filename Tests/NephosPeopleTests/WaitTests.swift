import CloudKitWire
import NephosNetwork
import NephosRunner
import NephosStorage
import NephosTesting
import RequestTesting
import ServerTesting
import TestEngines
import Testing

@testable import NephosPeople

/// docs/people.md, "Rate limits".
@Suite("Waiting times after failed sign-ins") struct WaitTests {
    private let store: TestStore
    private let engine: any StorageEngine
    private let waits: SignInWaits
    private static let here = ClientNetwork("192.0.2.1")

    init() throws {
        store = try TestStore()
        engine = try store.open(tables: [Feature.people].tables)
        waits = SignInWaits(directory: engine.directory)
    }

    private func begin(_ email: String, from network: ClientNetwork? = nil, now: Milliseconds) throws -> Int? {
        switch try waits.begin(SignInWaits.Attempt(email, from: network), now: now) {
        case .counted: nil
        case .wait(let seconds): seconds
        }
    }

    /// An attempt that may be made.
    private func counted(
        _ email: String, from network: ClientNetwork? = nil, now: Milliseconds
    ) throws -> SignInWaits.Counted {
        let beginning = try waits.begin(SignInWaits.Attempt(email, from: network), now: now)
        let attempt: SignInWaits.Counted? = if case .counted(let attempt) = beginning { attempt } else { nil }
        return try #require(attempt)
    }

    @Test("After five attempts at an account each waits twice as long, up to five minutes, from any network")
    func account() throws {
        var now: Milliseconds = 1_000_000
        for place in 0..<SignInWaits.freeOfAccount {
            let network = try #require(ClientNetwork("192.0.2.\(place)"))
            #expect(try begin("ada@example.org", from: network, now: now) == nil)
        }
        #expect(try begin(EmailAddress("Ada@example.org").text, now: now) == nil)
        var seconds: [Int] = []
        for _ in 0..<12 {
            let wait = try #require(try begin("ada@example.org", now: now))
            // Another request in the meantime does not extend the delay.
            #expect(try begin("ada@example.org", from: Self.here, now: now) == wait)
            seconds.append(wait)
            now += Milliseconds(wait) * 1_000
            #expect(try begin("ada@example.org", now: now) == nil)
        }
        #expect(seconds == [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300])
        #expect(try begin("grace@example.org", now: now) == nil)
        // Another server, or a restarted one, continues it.
        let other = SignInWaits(directory: engine.directory)
        let elsewhere = try other.begin(.init("ada@example.org", from: nil), now: now)
        let left: Int? = if case .wait(let seconds) = elsewhere { seconds } else { nil }
        #expect(left == 300)
    }

    @Test("Concurrent attempts all count, in any order, across servers")
    func atOnce() throws {
        let found = try (0..<12).map { try begin("ada@example.org", now: 1_000_000 - Milliseconds($0)) }
        #expect(found.prefix(6).allSatisfy { $0 == nil })
        #expect(found.dropFirst(6).allSatisfy { $0 == 1 || $0 == 2 })
    }

    @Test("After twenty attempts from an address it waits, whatever the accounts; other addresses do not")
    func network() throws {
        for number in 0...SignInWaits.freeOfNetwork {
            #expect(try begin("a\(number)@example.org", from: Self.here, now: 5_000) == nil)
        }
        #expect(try begin("z@example.org", from: Self.here, now: 5_000) == 1)
        #expect(try begin("z@example.org", from: ClientNetwork("192.0.2.2"), now: 5_000) == nil)
    }

    @Test(
        "A successful sign-in resets an account, an hour without attempts resets everything, and so does a clock set back"
    )
    func forgiven() throws {
        func fail(_ times: Int, at now: Milliseconds) throws -> [Int?] {
            try (0..<times).map { _ in try begin("ada@example.org", now: now) }
        }
        #expect(try fail(7, at: 10_000).last == 1)
        try waits.takeBack(try counted("ada@example.org", now: 11_000), forgiving: true)
        #expect(try fail(7, at: 11_000) == [nil, nil, nil, nil, nil, nil, 1])
        #expect(try fail(7, at: 11_000 + SignInWaits.countedFor) == [nil, nil, nil, nil, nil, nil, 1])
        #expect(try fail(1, at: 9_000) == [nil])
    }

    @Test("A success does not count against the address, and a server error does not count against the account")
    func takenBack() throws {
        for _ in 0..<100 {
            for (email, isRight) in [("ada@example.org", true), ("bob@example.org", false)] {
                try waits.takeBack(try counted(email, from: Self.here, now: 1), forgiving: isRight)
            }
        }
        #expect(try engine.directory.rows(AttemptRow.old(before: .max, limit: 10)) == [])
    }

    @Test("A success leaves the failures of its network, and the waits that others have caused, as they were")
    func others() throws {
        for number in 0..<(SignInWaits.freeOfNetwork - 1) {
            #expect(try begin("a\(number)@example.org", from: Self.here, now: 5_000) == nil)
        }
        // Somebody's sign-in to an account of their own, and a guess of theirs at the same time.
        let own = try counted("mallory@example.org", from: Self.here, now: 5_000)
        #expect(try begin("ada@example.org", from: Self.here, now: 5_000) == nil)
        try waits.takeBack(own, forgiving: true)
        #expect(try begin("grace@example.org", from: Self.here, now: 5_000) == 1)
        // However often they sign in, the delay grows with each guess.
        var (now, seconds): (Milliseconds, [Int]) = (6_000, [])
        for _ in 0..<4 {
            for _ in 0..<3 {
                try waits.takeBack(try counted("mallory@example.org", from: Self.here, now: now), forgiving: true)
            }
            #expect(try begin("ada@example.org", from: Self.here, now: now) == nil)
            let wait = try #require(try begin("mallory@example.org", from: Self.here, now: now))
            seconds.append(wait)
            now += Milliseconds(wait) * 1_000
        }
        #expect(seconds == [1, 2, 4, 8])
    }

    // docs/limits.md, "Networks".
    @Test("The networks of one IPv6 site count together, up to sixteen times what one may have")
    func site() throws {
        for number in 0...(16 * SignInWaits.freeOfNetwork) {
            let network = ClientNetwork("2001:db8:0:\(String(number, radix: 16))::1")
            #expect(try begin("a\(number)@example.org", from: network, now: 5_000) == nil)
        }
        #expect(try begin("z@example.org", from: ClientNetwork("2001:db8:0:ffff::1"), now: 5_000) == 1)
        #expect(try begin("z@example.org", from: ClientNetwork("2001:db8:1:ffff::1"), now: 5_000) == nil)
    }
}
