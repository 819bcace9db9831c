import NephosAdmin
import NephosRunner
import NephosStorage
import Testing

@Suite("Accounts") struct AccountTests {
    @Test(arguments: [
        ("mary@example.org", "mary@example.org"), ("Mary@Example.ORG", "mary@example.org"),
        ("a+b@c", "a+b@c"), ("jörg@Bücher.example", "jörg@xn--bcher-kva.example"),
        ("jo\u{308}rg@bu\u{308}cher.example", "j\u{F6}rg@xn--bcher-kva.example"),
        (String(repeating: "x", count: 252) + "@y", String(repeating: "x", count: 252) + "@y"),
    ])
    func anAddressIsKeptInLowerCase(given: String, kept: String) throws {
        let fixture = try AdminFixture()
        let id = try fixture.admin.createAccount(email: given)
        let account = try fixture.admin.account(email: given)
        #expect(account.email.utf8.elementsEqual(kept.utf8))
        #expect(account.id == id)
    }

    @Test(arguments: [
        "", "mary", "@", "@example.org", "mary@", "a@b@c", "mary @example.org", "mary@example.org\n", "a\u{0}@b",
        String(repeating: "x", count: 253) + "@y", "mary@exam\u{200B}ple.org",
    ])
    func whatIsNoAddressIsRefused(email: String) throws {
        let fixture = try AdminFixture()
        #expect { try fixture.admin.createAccount(email: email) } throws: { error in
            guard case AdminError.invalid(let wrong) = error else { return false }
            return wrong.what == "email address" && wrong.value == email
        }
    }

    @Test(arguments: [
        ("", "", ""), ("Mary", "Mary", ""), ("Mary Example", "Mary", "Example"),
        ("Ludwig van Beethoven", "Ludwig", "van Beethoven"), ("  Mary   Example ", "Mary", "Example"),
    ])
    func aNameIsAGivenNameAndThenAFamilyName(name: String, given: String, family: String) throws {
        let fixture = try AdminFixture()
        _ = try fixture.admin.createAccount(email: "mary@example.org", name: name)
        let account = try fixture.admin.account(email: "mary@example.org")
        #expect(account.givenName == given)
        #expect(account.familyName == family)
    }

    @Test(arguments: ["a\nb", "\u{7F}", String(repeating: "x", count: 256)])
    func aNameWithControlCharactersOrBeyond255BytesIsRefused(name: String) throws {
        let fixture = try AdminFixture()
        #expect(throws: AdminError.self) {
            try fixture.admin.createAccount(email: "mary@example.org", name: name)
        }
        #expect(throws: AdminError.noAccount("mary@example.org")) {
            try fixture.admin.account(email: "mary@example.org")
        }
    }

    @Test func anIDIsAnUpperCaseUUIDOfVersion4() throws {
        let fixture = try AdminFixture()
        let id = try fixture.admin.createAccount(email: "mary@example.org")
        #expect(id.wholeMatch(of: /[0-9A-F]{8}-[0-9A-F]{4}-4[0-9A-F]{3}-[89AB][0-9A-F]{3}-[0-9A-F]{12}/) != nil)
    }

    @Test func anAddressHasOneAccountWhateverItsCase() throws {
        let fixture = try AdminFixture()
        _ = try fixture.admin.createAccount(email: "mary@example.org")
        #expect(throws: AdminError.accountExists("mary@example.org")) {
            try fixture.admin.createAccount(email: "MARY@example.org")
        }
    }

    // docs/people.md, "Addresses".
    private static let spellings = [
        "jos\u{E9}@xn--bcher-kva.example", "jose\u{301}@bu\u{308}cher.example", "JOS\u{C9}@B\u{DC}CHER\u{3002}example",
    ]

    @Test("An address has one account in all its spellings, which commands find by each of them and by its id")
    func spellings() throws {
        for (first, second) in zip(Self.spellings, Self.spellings.dropFirst() + Self.spellings) {
            let fixture = try AdminFixture()
            let id = try fixture.admin.createAccount(email: first)
            #expect(throws: AdminError.accountExists("jos\u{E9}@b\u{FC}cher.example")) {
                try fixture.admin.createAccount(email: second)
            }
            for name in Self.spellings + [id, id.lowercased()] {
                #expect(try fixture.admin.account(email: name).id == id, "\(name)")
            }
            #expect(throws: AdminError.noAccount("mary@b\u{FC}cher.example")) {
                try fixture.admin.account(email: "mary@xn--bcher-kva.example")
            }
            #expect(try fixture.admin.sharedAddresses() == [])
        }
    }

    @Test(
        "Accounts that an earlier version stored as they were typed are found in every spelling, and keep their address"
    )
    func earlier() throws {
        for stored in Self.spellings.map({ $0.lowercased() }).dropLast() {
            let fixture = try AdminFixture()
            try fixture.engine.createAccount(Self.row("A", stored, at: 1))
            for name in Self.spellings { #expect(try fixture.admin.account(email: name).id == "A", "\(name)") }
            #expect(throws: AdminError.self) { try fixture.admin.createAccount(email: Self.spellings[0]) }
            #expect(try fixture.admin.sharedAddresses() == [])
        }
    }

    @Test(
        "Several accounts of an earlier version with one address are reported; each is found by its own spelling and its id"
    )
    func shared() throws {
        let fixture = try AdminFixture()
        let (composed, decomposed, ascii) = (
            "mary@b\u{FC}cher.example", "mary@bu\u{308}cher.example", "mary@xn--bcher-kva.example"
        )
        for row in [
            Self.row("C", decomposed, at: 3), Self.row("A", composed, at: 1), Self.row("B", ascii, at: 2),
            Self.row("D", "john@example.org", at: 4), Self.row("E", "john@example\u{FF0E}org", at: 5),
            Self.row("F", "ada@example.org", at: 6),
        ] { try fixture.engine.createAccount(row) }
        let shared = try fixture.admin.sharedAddresses()
        #expect(shared.map(\.address) == ["john@example.org", composed])
        #expect(shared.map(\.accounts) == [["D", "E"], ["A", "B", "C"]])
        for (name, id) in [
            (composed, "A"), (decomposed, "C"), (ascii, "B"), ("MARY@B\u{DC}CHER.example", "A"),
            ("mary@B\u{DC}CHER\u{3002}example", "A"), ("b", "B"), ("john@example.org", "D"),
        ] {
            #expect(try fixture.admin.account(email: name).id == id, "\(name)")
        }
        #expect(throws: AdminError.self) { try fixture.admin.createAccount(email: composed) }
    }

    private static func row(_ id: String, _ email: String, at time: Milliseconds) -> AccountRow {
        AccountRow(id: id, email: email, givenName: "", familyName: "", createdAt: time)
    }
}
