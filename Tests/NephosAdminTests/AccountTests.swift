import NephosAdmin
import NephosRunner
import NephosStorage
import Testing

@Suite("Accounts") struct AccountTests {
    @Test(arguments: [
        ("mary@example.org", "mary@example.org"), ("Mary@Example.ORG", "mary@example.org"),
        ("a+b@c", "a+b@c"), ("jörg@bücher.example", "jörg@bücher.example"),
        (String(repeating: "x", count: 252) + "@y", String(repeating: "x", count: 252) + "@y"),
    ])
    func anAddressIsKeptInLowerCase(given: String, kept: String) throws {
        let fixture = try AdminFixture()
        let id = try fixture.admin.createAccount(email: given)
        let account = try fixture.admin.account(email: given)
        #expect(account.email == kept)
        #expect(account.id == id)
    }

    @Test(arguments: [
        "", "mary", "@", "@example.org", "mary@", "a@b@c", "mary @example.org", "mary@example.org\n", "a\u{0}@b",
        String(repeating: "x", count: 253) + "@y",
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
}
