import CloudKitWire
import Foundation
import NephosRunner
import NephosStorage
import NephosTesting
import RequestTesting
import Testing

@testable import NephosPeople

/// docs/people.md, "Passkeys": storage and verification, independent of pages.
@Suite("Passkeys") struct PasskeyTests {
    typealias Algorithm = SoftwarePasskey.Algorithm

    @Test("A passkey of each algorithm is created and used repeatedly", arguments: Algorithm.allCases)
    func whole(algorithm: Algorithm) async throws {
        let own = try await PasskeyFixture()
        let passkey = try SoftwarePasskey(algorithm)
        try own.register(passkey)
        for _ in 0..<2 { #expect(try own.signIn(passkey) == own.ada.id) }
        let item = try #require(try own.passkeys.list(of: own.ada.id).first)
        #expect(item.id == passkey.id && item.name == "Phone" && !item.isBackedUp)
        #expect(item.createdAt == own.people.now && item.usedAt == own.people.now)
        #expect(try own.people.cloud.check() == [])
    }

    @Test(
        "Browser options: no name to sign in; to create one, a discoverable one, excluding existing ones")
    func options() async throws {
        let own = try await PasskeyFixture()
        let use = try JSON(reading: Array(own.optionsOfUse.utf8))
        #expect(use["rpId"].string == "localhost" && use["userVerification"].string == "required")
        #expect(use["allowCredentials"].string == nil && !own.optionsOfUse.contains("allowCredentials"))
        let passkey = try SoftwarePasskey()
        try own.register(passkey)
        let made = try JSON(reading: Array(own.creationOptions().utf8))
        #expect(made["rp"]["id"].string == "localhost" && made["attestation"].string == "none")
        #expect(made["user"]["id"].string == Base64.text(Array(own.ada.id.utf8), .urlSafe))
        #expect(
            made["user"]["name"].string == PeopleCloud.email && made["user"]["displayName"].string == "Ada Lovelace")
        #expect(made["pubKeyCredParams"].elements.map { $0["alg"].int64 } == [-7, -8, -257])
        #expect(made["excludeCredentials"].elements.map { $0["id"].string } == [Base64.text(passkey.id, .urlSafe)])
        let selection = made["authenticatorSelection"]
        #expect(selection["residentKey"].string == "required" && selection["userVerification"].string == "required")
    }

    typealias Change = @Sendable (inout SoftwarePasskey.Said) -> Void

    private static let wrong: [(String, PasskeyProblem, Change)] = [
        ("an origin of another host", .elsewhere, { $0.origin = "http://evil.example" }),
        ("an origin of another scheme", .elsewhere, { $0.origin = "https://localhost" }),
        ("an origin of another port", .elsewhere, { $0.origin = "http://localhost:81" }),
        ("an origin that begins the same", .elsewhere, { $0.origin = "http://localhost.evil.example" }),
        ("no origin", .elsewhere, { $0.origin = "" }),
        ("another relying party", .elsewhere, { $0.party = "evil.example" }),
        ("a page in a frame", .elsewhere, { $0.more = #","crossOrigin":true"# }),
        ("a frame that is no yes or no", .unreadable, { $0.more = #","crossOrigin":"no""# }),
        ("an origin twice", .unreadable, { $0.more = #","origin":"http://localhost""# }),
        ("another kind", .unreadable, { $0.kind = "payment.get" }),
        ("no challenge", .expired, { $0.challenge = "" }),
        ("a foreign challenge", .expired, { $0.challenge = Base64.text(Array(0..<58), .urlSafe) }),
        ("a challenge with something after it", .expired, { $0.challenge += "A" }),
        ("nobody there", .unverified, { $0.flags = 0x04 }),
        ("nobody verified", .unverified, { $0.flags = 0x01 }),
        ("backed up, and cannot be", .unreadable, { $0.flags = 0x15 }),
        ("extensions that are none", .unreadable, { $0.extensions = [0x00] }),
        ("extensions with something after them", .unreadable, { $0.extensions = [0xA0, 0x00] }),
        ("far too much", .unreadable, { $0.extensions = [UInt8](repeating: 0, count: 5_000) }),
        ("far too much of a page", .unreadable, { $0.more = #","a":"\#(String(repeating: "a", count: 5_000))""# }),
    ]

    @Test(
        "An invalid response creates no passkey and signs nobody in; the same passkey works right afterwards",
        arguments: wrong.indices)
    func refused(place: Int) async throws {
        let (what, problem, change) = Self.wrong[place]
        let own = try await PasskeyFixture()
        let passkey = try SoftwarePasskey()
        #expect(throws: problem, "\(what)") { try own.register(passkey, change) }
        #expect(try own.passkeys.list(of: own.ada.id).isEmpty)
        try own.register(passkey)
        #expect(throws: problem, "\(what)") { try own.signIn(passkey, change) }
        #expect(try own.signIn(passkey) == own.ada.id)
    }

    @Test("Changing any bit on the way signs nobody in")
    func flipped() async throws {
        let own = try await PasskeyFixture()
        let passkey = try SoftwarePasskey()
        try own.register(passkey)
        let good = try passkey.used(own.optionsOfUse, by: own.ada.id)
        let parts: [WritableKeyPath<Passkeys.AssertionResponse, [UInt8]>] = [
            \.id, \.user, \.client, \.authenticator, \.signature,
        ]
        for part in parts {
            for place in good[keyPath: part].indices {
                var bad = good
                bad[keyPath: part][place] ^= 1 << UInt8(place % 8)
                #expect(throws: PasskeyProblem.self) { try own.passkeys.signIn(bad, on: own.page) }
            }
            var (short, long) = (good, good)
            short[keyPath: part].removeLast()
            long[keyPath: part].append(0)
            for bad in [short, long] {
                #expect(throws: PasskeyProblem.self) { try own.passkeys.signIn(bad, on: own.page) }
            }
        }
        // None of these has used up the challenge.
        #expect(try own.passkeys.signIn(good, on: own.page) == own.ada.id)
    }

    @Test(
        "A response is not valid again, on any server, page or browser, or for another account"
    )
    func replayed() async throws {
        let own = try await PasskeyFixture()
        let passkey = try SoftwarePasskey()
        let making = try passkey.made(own.creationOptions())
        let elsewhere = [
            own.page(bound: ["another cookie", "an address"]), own.page(bound: ["a cookie", "another address"]),
            PasskeyPage(origin: own.page.origin, bound: own.page.bound, key: [1], now: own.page.now),
        ]
        for page in elsewhere {
            #expect(throws: PasskeyProblem.expired) {
                try own.passkeys.register(making, named: "Phone", for: own.ada, on: page)
            }
        }
        #expect(throws: PasskeyProblem.expired) {
            try own.passkeys.register(making, named: "Phone", for: own.grace, on: own.page)
        }
        try own.passkeys.register(making, named: "Phone", for: own.ada, on: own.page)
        #expect(throws: PasskeyProblem.expired) {
            try own.passkeys.register(making, named: "Phone", for: own.ada, on: own.page)
        }
        let use = try passkey.used(own.optionsOfUse, by: own.ada.id)
        for page in elsewhere { #expect(throws: PasskeyProblem.expired) { try own.passkeys.signIn(use, on: page) } }
        // The options for creating one are not valid for signing in.
        let mixed = try passkey.used(own.creationOptions(), by: own.ada.id)
        #expect(throws: PasskeyProblem.expired) { try own.passkeys.signIn(mixed, on: own.page) }
        #expect(try own.passkeys.signIn(use, on: own.page) == own.ada.id)
        #expect(throws: PasskeyProblem.expired) { try own.passkeys.signIn(use, on: own.page) }
    }

    @Test("A challenge is valid for five minutes")
    func late() async throws {
        let own = try await PasskeyFixture()
        let passkey = try SoftwarePasskey()
        try own.register(passkey)
        let use = try passkey.used(own.optionsOfUse, by: own.ada.id)
        own.people.now += 5 * 60_000
        #expect(throws: PasskeyProblem.expired) { try own.passkeys.signIn(use, on: own.page) }
        own.people.now -= 1
        #expect(try own.passkeys.signIn(use, on: own.page) == own.ada.id)
    }

    @Test("A counter that does not grow indicates a copy, and is rejected; a counter that stays 0 is ignored")
    func counted() async throws {
        let own = try await PasskeyFixture()
        let passkey = try SoftwarePasskey()
        try own.register(passkey)
        let steps: [(UInt32, Bool)] = [
            (0, true), (0, true), (5, true), (5, false), (4, false), (0, false), (6, true), (.max, true), (.max, false),
            (1, false),
        ]
        for (number, (counter, isGood)) in steps.enumerated() {
            if isGood {
                #expect(try own.signIn(passkey, { $0.counter = counter }) == own.ada.id, "step \(number)")
            } else {
                #expect(throws: PasskeyProblem.cloned, "step \(number)") {
                    try own.signIn(passkey) { $0.counter = counter }
                }
            }
        }
    }

    @Test("A passkey signs in the account it was created for, and cannot name another")
    func foreignUsers() async throws {
        let own = try await PasskeyFixture()
        let (adas, graces) = (try SoftwarePasskey(), try SoftwarePasskey(.ed25519))
        try own.register(adas)
        try own.register(graces, for: own.grace)
        #expect(try own.signIn(graces, for: own.grace) == own.grace.id)
        let names = [
            own.ada.id.lowercased(), "", UUID().uuidString, "\(own.grace.id)\0", String(repeating: "a", count: 900),
        ]
        for user in [own.ada.id] + names {
            let used = try graces.used(own.optionsOfUse, by: user)
            #expect(throws: PasskeyProblem.unknown) { try own.passkeys.signIn(used, on: own.page) }
        }
        // Her ID, with an attacker's key.
        let forged = try SoftwarePasskey(id: adas.id)
        #expect(throws: PasskeyProblem.unknown) { try own.signIn(forged) }
        #expect(throws: PasskeyProblem.taken) { try own.register(forged, for: own.grace) }
        #expect(throws: PasskeyProblem.taken) { try own.register(adas) }
    }

    @Test("An account has at most 20, each with a readable name")
    func many() async throws {
        let own = try await PasskeyFixture()
        for number in 0..<Passkeys.countMax - 1 {
            try own.register(try SoftwarePasskey(.ed25519, id: [UInt8(number)]))
        }
        // Both were requested when there was room for one.
        let options = try [own.creationOptions(), own.creationOptions()]
        let made = try options.map { try SoftwarePasskey(.ed25519).made($0) }
        try own.passkeys.register(made[0], named: "The last", for: own.ada, on: own.page)
        #expect(throws: PasskeyProblem.tooMany) {
            try own.passkeys.register(made[1], named: "One more", for: own.ada, on: own.page)
        }
        #expect(throws: PasskeyProblem.tooMany) { try own.creationOptions() }
        #expect(try own.passkeys.list(of: own.ada.id).count == 20)
        #expect(try own.passkeys.list(of: own.grace.id).isEmpty)
    }

    @Test("A person names a passkey, and a removed one signs nobody in; the last sign-in method stays")
    func kept() async throws {
        let own = try await PasskeyFixture()
        let passkey = try SoftwarePasskey()
        try own.register(passkey)
        try own.passkeys.rename(passkey.id, of: own.ada.id, to: "  <b>Keys</b> of Ada 🔑 ")
        #expect(try own.passkeys.list(of: own.ada.id).map(\.name) == ["<b>Keys</b> of Ada 🔑"])
        for name in ["", "   ", "a\nb", "a\u{0}b", "a\u{2028}b", String(repeating: "ü", count: 51)] {
            #expect(throws: PasskeyProblem.badName) { try own.passkeys.rename(passkey.id, of: own.ada.id, to: name) }
        }
        #expect(throws: PasskeyProblem.unknown) { try own.passkeys.rename(passkey.id, of: own.grace.id, to: "Mine") }
        #expect(throws: PasskeyProblem.unknown) { try own.passkeys.remove(passkey.id, of: own.grace.id) }
        try own.passkeys.remove(passkey.id, of: own.ada.id)
        #expect(throws: PasskeyProblem.unknown) { try own.signIn(passkey) }
        #expect(throws: PasskeyProblem.unknown) { try own.passkeys.remove(passkey.id, of: own.ada.id) }
        // Grace has no password.
        let graces = try SoftwarePasskey()
        try own.register(graces, for: own.grace)
        #expect(throws: PasskeyProblem.onlyWay) { try own.passkeys.remove(graces.id, of: own.grace.id) }
        #expect(try own.signIn(graces, for: own.grace) == own.grace.id)
        #expect(try own.people.cloud.check() == [])
    }

    @Test("Of two concurrent uses of one challenge one signs in")
    func atOnce() async throws {
        let own = try await PasskeyFixture()
        let passkey = try SoftwarePasskey()
        try own.register(passkey)
        let (use, page, passkeys) = (try passkey.used(own.optionsOfUse, by: own.ada.id), own.page, own.passkeys)
        let outcomes = await withTaskGroup(of: Bool.self) { group in
            let threads = QueueThreads()
            for _ in 0..<8 {
                group.addTask { (try? await threads.run { try passkeys.signIn(use, on: page) }) != nil }
            }
            return await group.reduce(into: [Bool]()) { $0.append($1) }
        }
        #expect(outcomes.count { $0 } == 1)
    }

    @Test("Whether a passkey is backed up is updated when it is used; whether it can be never changes")
    func backedUp() async throws {
        let own = try await PasskeyFixture()
        let passkey = try SoftwarePasskey()
        try own.register(passkey) { $0.flags = 0x0D }
        func isBackedUp() throws -> Bool? { try own.passkeys.list(of: own.ada.id).first?.isBackedUp }
        #expect(try isBackedUp() == false)
        _ = try own.signIn(passkey) { $0.flags = 0x1D }
        #expect(try isBackedUp() == true)
        #expect(throws: PasskeyProblem.unknown) { try own.signIn(passkey) { $0.flags = 0x05 } }
    }

    @Test("The attestation statement and extensions are ignored")
    func statements() async throws {
        let own = try await PasskeyFixture()
        // Fields of "packed": algorithm, signature, certificates; in the order of CTAP2.
        let statement =
            CBORWriting.text("fmt") + CBORWriting.text("packed") + CBORWriting.text("attStmt")
            + [0xA3] + CBORWriting.text("alg") + CBORWriting.int(-7) + CBORWriting.text("sig")
            + CBORWriting.bytes([1, 2, 3]) + CBORWriting.text("x5c") + [0x81] + CBORWriting.bytes([4])
        let passkey = try SoftwarePasskey()
        try own.register(passkey) {
            $0.statement = statement
            $0.extensions = [0xA1] + CBORWriting.text("credProtect") + CBORWriting.int(2)
        }
        #expect(try own.signIn(passkey) { $0.extensions = [0xA0] } == own.ada.id)
    }
}

/// Two accounts and their calls to ``Passkeys``, on one page of one browser.
struct PasskeyFixture {
    let people: PeopleCloud
    let passkeys: Passkeys
    /// With a password.
    let ada: AccountRow
    /// Without one.
    let grace: AccountRow
    /// The origin of the page.
    var origin = "http://localhost"

    init() async throws {
        people = try await PeopleCloud()
        passkeys = Passkeys(directory: people.cloud.engine.directory, party: .local)
        ada = try #require(try people.cloud.engine.account(email: PeopleCloud.email))
        grace = try #require(try people.cloud.engine.account(email: "grace@example.org"))
    }

    /// For a server on the same store whose passkeys belong to another party.
    init(_ other: PasskeyFixture, party: RelyingParty, at origin: String) {
        (people, ada, grace, self.origin) = (other.people, other.ada, other.grace, origin)
        passkeys = Passkeys(directory: other.passkeys.directory, party: party)
    }

    var page: PasskeyPage { page(bound: ["a cookie", "an address"]) }

    func page(bound: [String]) -> PasskeyPage {
        guard let origin = WebOrigin(origin) else { preconditionFailure("an origin is none") }
        return PasskeyPage(origin: origin, bound: bound, key: Array(0..<32), now: people.now)
    }

    var optionsOfUse: String { passkeys.optionsOfUse(on: page, .system) }

    func creationOptions(for account: AccountRow? = nil) throws -> String {
        try passkeys.creationOptions(for: account ?? ada, on: page, .system)
    }

    func register(
        _ passkey: SoftwarePasskey, for account: AccountRow? = nil,
        _ change: (inout SoftwarePasskey.Said) -> Void = { _ in }
    ) throws {
        let made = try passkey.made(creationOptions(for: account), change)
        try passkeys.register(made, named: "Phone", for: account ?? ada, on: page)
    }

    func signIn(
        _ passkey: SoftwarePasskey, for account: AccountRow? = nil,
        _ change: (inout SoftwarePasskey.Said) -> Void = { _ in }
    ) throws -> String {
        try passkeys.signIn(try passkey.used(optionsOfUse, by: (account ?? ada).id, change), on: page)
    }
}
