import CloudKitWire
import NephosNetwork
import NephosRunner
import NephosStorage
import NephosTesting
import ServerTesting
import TestEngines
import Testing

@testable import NephosPeople

/// docs/people.md, "Rate limits".
@Suite("Waiting times after failed sign-ins") struct WaitTests {
    private let store: TestStore
    private let engine: any StorageEngine
    private let waits: SignInWaits
    private static let here = NetworkAddress("192.0.2.1")

    init() throws {
        store = try TestStore()
        engine = try store.open(tables: [Feature.people].tables)
        waits = SignInWaits(directory: engine.directory)
    }

    private func begin(_ email: String, from network: NetworkAddress? = nil, now: Milliseconds) throws -> Int? {
        try waits.begin(SignInWaits.Attempt(email, from: network), now: now)
    }

    @Test("After five attempts at an account each waits twice as long, up to five minutes, from any network")
    func account() throws {
        var now: Milliseconds = 1_000_000
        for place in 0..<SignInWaits.freeOfAccount {
            let network = try #require(NetworkAddress("192.0.2.\(place)"))
            #expect(try begin("ada@example.org", from: network, now: now) == nil)
        }
        #expect(try begin("Ada@example.org", now: now) == nil)
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
        #expect(
            try SignInWaits(directory: engine.directory).begin(.init("ada@example.org", from: nil), now: now) == 300)
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
        #expect(try begin("z@example.org", from: NetworkAddress("192.0.2.2"), now: 5_000) == nil)
    }

    @Test(
        "A successful sign-in resets an account, an hour without attempts resets everything, and so does a clock set back"
    )
    func forgiven() throws {
        func fail(_ times: Int, at now: Milliseconds) throws -> [Int?] {
            try (0..<times).map { _ in try begin("ada@example.org", now: now) }
        }
        #expect(try fail(7, at: 10_000).last == 1)
        try waits.takeBack(.init("ada@example.org", from: nil), isRight: true)
        #expect(try fail(7, at: 10_000) == [nil, nil, nil, nil, nil, nil, 1])
        #expect(try fail(7, at: 10_000 + SignInWaits.memory) == [nil, nil, nil, nil, nil, nil, 1])
        #expect(try fail(1, at: 9_000) == [nil])
    }

    @Test("A success does not count against the address, and a server error does not count against the account")
    func takenBack() throws {
        for _ in 0..<100 {
            for (email, isRight) in [("ada@example.org", true), ("bob@example.org", false)] {
                let attempt = SignInWaits.Attempt(email, from: Self.here)
                #expect(try waits.begin(attempt, now: 1) == nil)
                try waits.takeBack(attempt, isRight: isRight)
            }
        }
        #expect(try engine.directory.rows(AttemptRow.old(before: .max, limit: 10)) == [])
    }
}
