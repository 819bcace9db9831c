import CloudKitWire
import Foundation
import NephosNetwork
import NephosRunner
import RequestTesting
import Synchronization
import Testing

@testable import NephosPeople

/// docs/people.md, "Passwords".
@Suite("Passwords") struct PasswordTests {
    private static let salt = [UInt8](repeating: 7, count: PasswordHash.saltBytes)

    private static func refusal(_ typed: String, for email: String = "anna@example.org", list: String = "") -> String? {
        do throws(Password.Fault) {
            _ = try Password.new(typed, for: email, refused: Array(list.utf8))
            return nil
        } catch { return "\(error.asAdminError)" }
    }

    @Test("A password has 10 to 1,024 bytes, however few letters that are")
    func length() {
        #expect(Self.refusal("123456789") == "A password must have 10 to 1024 bytes. Choose one of that length.")
        #expect(Self.refusal("1234567890") == nil)
        #expect(Self.refusal("äöüäö") == nil)
        #expect(Self.refusal(String(repeating: "ab", count: 512)) == nil)
        #expect(Self.refusal(String(repeating: "ab", count: 512) + "c") != nil)
        #expect(Self.refusal(String(repeating: "ab", count: 500_000)) != nil)
    }

    @Test("A repeated character, a part of the address, and a listed password are rejected, and not repeated")
    func refused() {
        #expect(Self.refusal("ääääääääää")?.contains("repeat a single character") == true)
        #expect(Self.refusal("my ANNA is here")?.contains("part of the address") == true)
        #expect(Self.refusal("at Example.ORG again")?.contains("part of the address") == true)
        // Three letters occur in too many words.
        #expect(Self.refusal("adamant as stone", for: "ada@example.org") == nil)
        #expect(Self.refusal("Football 1234", list: "abcdefghij\r\nfootball 1234\n")?.contains("list") == true)
        #expect(Self.refusal("football 12345", list: "abcdefghij\nfootball 1234\n") == nil)
        #expect(Self.refusal("my ANNA is here")?.contains("ANNA") == false)
    }

    @Test("A password is normalized, so that keyboards do not matter, and printing it reveals nothing")
    func normalForm() throws {
        let one = try #require(Password("Z\u{fc}rich am See")), other = try #require(Password("Zu\u{308}rich am See"))
        let hash = try PasswordHash(of: one, salt: Self.salt, cost: PeopleCloud.cheap)
        #expect(try hash.isOf(other) && !hash.isOf(try #require(Password("Zurich am See"))))
        var dumped = ""
        dump(one, to: &dumped)
        #expect(!dumped.contains("90") && !"\(one)".contains("rich"))
    }

    @Test("The hash is the scrypt of RFC 7914, and is stored with its cost")
    func scrypt() throws {
        let hash = try PasswordHash(
            of: try #require(Password("pleaseletmein")), salt: Array("SodiumChloride".utf8),
            cost: PasswordHash.Cost(rounds: 14, blockSize: 8, lanes: 1))
        #expect(Hexadecimal.text(hash.hash) == "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2")
        let password = try #require(Password("correct horse"))
        let stored = try PasswordHash(of: password, salt: Self.salt, cost: PeopleCloud.cheap)
        #expect(stored.text.hasPrefix("scrypt$4$8$1$") && PasswordHash(stored.text) == stored)
        #expect(PasswordHash.Cost.current == PasswordHash.Cost(rounds: 15, blockSize: 8, lanes: 3))
    }

    @Test("A stored hash cannot require more than 64 MB, and an invalid one is rejected")
    func bounded() throws {
        let stored = try PasswordHash(
            of: try #require(Password("correct horse")), salt: Self.salt, cost: PeopleCloud.cheap
        ).text
        for cost in ["17$8$1", "63$8$1", "15$32$1", "15$8$17", "0$8$1", "15$8", "-1$8$1", "15$8$1$1"] {
            #expect(PasswordHash(stored.replacing("4$8$1", with: cost)) == nil, "\(cost)")
        }
        for text in ["", "scrypt", String(stored.dropLast()), stored.replacing("scrypt", with: "bcrypt")] {
            #expect(PasswordHash(text) == nil)
        }
        #expect(PasswordHash(stored.replacing("4$8$1", with: "16$8$1")) != nil)
    }

    // docs/limits.md, "Passwords".
    @Test("Of each purpose at most 32 wait for one thread; further ones are rejected until there is room")
    func threads() throws {
        let line = Line()
        #expect(line.enter("first", .signIn))
        for purpose in PasswordThreads.Purpose.allCases {
            for _ in 0..<PasswordThreads.waitingMax { #expect(line.enter("\(purpose)", purpose)) }
            #expect(!line.enter("", purpose))
        }
        let order = line.order(2 * PasswordThreads.waitingMax + 1)
        #expect(line.most == 1)
        // People who sign in wait for one new password at a time, however many were there before them.
        #expect(order == ["first"] + (0..<PasswordThreads.waitingMax).flatMap { _ in ["signIn", "newPassword"] })
        #expect(line.enter("again", .newPassword) && line.order(1) == ["again"])
    }

    @Test("A network has eight places in a queue, a site half of them, and networks take turns")
    func networks() throws {
        let line = Line()
        #expect(line.enter("first", .signIn))
        let (one, other) = (ClientNetwork("192.0.2.1"), ClientNetwork("192.0.2.2"))
        for _ in 0..<PasswordThreads.waitingMaxOfNetwork { #expect(line.enter("one", .signIn, one)) }
        #expect(!line.enter("", .signIn, one))
        #expect(line.enter("one's new", .newPassword, one))
        for _ in 0..<2 { #expect(line.enter("other", .signIn, other)) }
        #expect(!line.enter("", .signIn, one))
        let order = line.order(12).filter { $0 != "one's new" }
        #expect(order == ["first", "one", "other", "one", "other"] + Array(repeating: "one", count: 6))
        #expect(line.enter("first", .signIn))
        let places = (0..<PasswordThreads.waitingMax).map { number in
            line.enter("site", .signIn, ClientNetwork("2001:db8:0:\(number)::1"))
        }
        #expect(places.count { $0 } == PasswordThreads.waitingMax / 2)
        #expect(line.enter("another site", .signIn, ClientNetwork("2001:db8:1::1")))
        #expect(line.order(PasswordThreads.waitingMax / 2 + 2).prefix(3) == ["first", "site", "another site"])
    }
}

/// One thread for passwords, whose jobs wait until they are to run.
private final class Line: Sendable {
    private let threads = PasswordThreads(count: 1)
    private let (gate, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    private let running = Mutex((now: 0, most: 0, names: [String]()))

    /// - Returns: Whether there is a place.
    func enter(_ name: String, _ purpose: PasswordThreads.Purpose, _ network: ClientNetwork? = nil) -> Bool {
        let isRefused = Mutex(false)
        threads.perform(for: purpose, of: network) { [self] isTaken in
            guard isTaken else { return isRefused.withLock { $0 = true } }
            running.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1), $0.names + [name]) }
            gate.wait()
            running.withLock { $0.now -= 1 }
            ended.signal()
        }
        return !isRefused.withLock { $0 }
    }

    /// The most that ran at a time.
    var most: Int { running.withLock { $0.most } }

    /// Lets jobs run, and returns their names in order.
    func order(_ count: Int) -> [String] {
        for _ in 0..<count { gate.signal() }
        for _ in 0..<count { ended.wait() }
        return running.withLock { running in
            defer { running.names = [] }
            return running.names
        }
    }
}
