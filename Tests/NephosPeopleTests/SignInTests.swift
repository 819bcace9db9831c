import CloudKitWire
import Foundation
import NephosAdmin
import NephosDomain
import NephosNetwork
import NephosRunner
import NephosStorage
import NephosTesting
import RequestTesting
import Testing

@testable import NephosPeople

/// docs/people.md, "The sign-in page".
@Suite("Signing in on the page") struct SignInTests {
    @Test(
        "A 421 leads to a form, the right password to a consent page, and consent to a token that is valid for that person"
    )
    func whole() async throws {
        let own = try await PeopleCloud()
        let target = try own.redirect()
        let page = try own.get(target)
        #expect(page.status == 200 && page.text.contains("<b>fuzz</b>, <b>\(SmallCloud.container)</b> (development)"))
        #expect(page.text.contains(PeopleCloud.origin) && page.told == nil)
        let question = try own.signIn(target)
        #expect(question.status == 200 && question.told == nil)
        #expect(question.text.contains("It does not get your address or your password."))
        let answer = try own.press("yes", on: question, target)
        let token = try answer.token()
        #expect(answer.status == 200 && answer.told?.origin == PeopleCloud.origin)
        #expect(try own.status(of: token) == 200)
        // She is the same user as in the operator's session.
        let caller = "\(PeopleCloud.caller)?ckAPIToken=\(own.cloud.apiToken)&ckWebAuthToken="
        let names = try [token, own.cloud.webAuthToken].map {
            try JSON(reading: own.cloud.ask("GET", caller + $0, as: .stranger).body)["userRecordName"].string
        }
        #expect(names[0] != nil && names[0] == names[1])
        // Consent is asked for once: the next time the password is sufficient, and creates a different session.
        let again = try own.signIn(try own.redirect()).token()
        #expect(again != token)
        #expect(try own.status(of: again) == 200)
        #expect(try own.cloud.check() == [])
    }

    @Test(
        "An unused session lasts 30 minutes, or two weeks for people who stay signed in, even where they consented before"
    )
    func lifetime() async throws {
        let own = try await PeopleCloud()
        let target = try own.redirect()
        let question = try own.signIn(target, keep: true)
        let long = try own.press("yes", on: question, target).token()
        let short = try own.signIn(target).token()
        let start = own.now
        own.now = start + 30 * 60_000
        #expect(try own.status(of: short) == 421 && own.status(of: long) == 200)
        own.now = start + 14 * 24 * 3_600_000
        #expect(try own.status(of: long) == 421)
    }

    @Test(
        "A wrong password, an unknown address and one without a password get byte-identical responses")
    func alike() async throws {
        let own = try await PeopleCloud()
        let target = try own.redirect()
        // Grace has an account without a password.
        let answers = try [
            (PeopleCloud.email, "correct horse batterz"), ("nobody@example.org", PeopleCloud.password),
            ("grace@example.org", PeopleCloud.password), ("no address", PeopleCloud.password),
            (PeopleCloud.email, "short"),
            (PeopleCloud.email, String(repeating: "long", count: 500)),
        ].map { email, password in
            let answer = try own.signIn(target, email, password)
            let headers = answer.headers.map { "\($0.name): \($0.value)" }
            #expect(answer.told == nil)
            return "\(answer.status)\n\(headers)\n\(try answer.textWithoutChallenge.replacing(email, with: "EMAIL"))"
        }
        #expect(answers[0].hasPrefix("403\n") && answers[0].contains("The address or the password is wrong."))
        #expect(Set(answers).count == 1)
    }

    @Test(
        "An unknown address costs a hash as well, so that the response takes as long")
    func alikeInWork() async throws {
        // A hash of this cost cannot be computed, so an attempt fails.
        let own = try await PeopleCloud(cost: PasswordHash.Cost(rounds: 4, blockSize: 8, lanes: 0))
        let target = try own.redirect()
        for email in ["nobody@example.org", "grace@example.org"] {
            #expect(throws: (any Error).self) { try own.signIn(target, email) }
        }
        // The dummy hash matches no password.
        let nobody = PasswordHash(forDummy: PeopleCloud.cheap, random: Array(0..<16))
        #expect(try !nobody.isOf(try #require(Password(PeopleCloud.password))))
    }

    @Test("After wrong guesses a person must wait, with the same message whether or not the account exists")
    func waits() async throws {
        let own = try await PeopleCloud()
        let target = try own.redirect()
        let texts = try [PeopleCloud.email, "nobody@example.org"].map { email in
            for _ in 0...SignInWaits.freeOfAccount {
                #expect(try own.signIn(target, email, "wrong password").status == 403)
            }
            // Not even the correct one is compared now.
            let late = try own.signIn(target, email)
            #expect(late.status == 429 && late.header("Retry-After") == "1")
            return try late.textWithoutChallenge.replacing(email, with: "EMAIL")
        }
        #expect(texts[0] == texts[1] && texts[0].contains("Try again in 1 seconds."))
        own.now += 1_000
        #expect(try own.signIn(target).status == 200)
        let network = try #require(ClientNetwork("192.0.2.1"))
        for number in 0...SignInWaits.freeOfNetwork {
            #expect(try own.signIn(target, "a\(number)@example.org", network: network).status == 403)
        }
        #expect(try own.signIn(target, network: network).status == 429)
        #expect(try own.signIn(target, network: ClientNetwork("192.0.2.2")).status == 200)
    }

    @Test("A network gets sixty passwords hashed in a minute, right or wrong") func hashes() async throws {
        let own = try await PeopleCloud()
        let target = try own.redirect()
        let network = try #require(ClientNetwork("192.0.2.1"))
        for _ in 0..<SignInServices.hashesMax {
            #expect(try own.signIn(target, network: network).status == 200)
        }
        let late = try own.signIn(target, network: network)
        #expect(late.status == 429 && late.header("Retry-After") == "5")
        #expect(try own.signIn(target, network: ClientNetwork("192.0.2.2")).status == 200)
        own.now += 60_000
        #expect(try own.signIn(target, network: network).status == 200)
    }

    @Test("A browser known to the account is counted separately: other people's guesses do not lock its person out")
    func knownBrowser() async throws {
        let own = try await PeopleCloud()
        let target = try own.redirect()
        _ = try own.signIn(target)
        let known = try #require(own.jar["nephos-known"])
        for _ in 0...SignInWaits.freeOfAccount { _ = try own.signIn(target, PeopleCloud.email, "wrong password") }
        #expect(try own.signIn(target).status == 429)
        func type(
            _ password: String, _ email: String = PeopleCloud.email, network: ClientNetwork? = nil
        ) throws -> Int {
            own.jar = ["nephos-known": known]
            let form = try own.get(target).field("form")
            return try own.post(
                target, [("form", form), ("email", email), ("password", password), ("answer", "yes")],
                network: network
            ).status
        }
        #expect(try type(PeopleCloud.password) == 200)
        // Nor do guesses from its network.
        let network = try #require(ClientNetwork("192.0.2.1"))
        for number in 0...SignInWaits.freeOfNetwork {
            _ = try own.signIn(target, "a\(number)@example.org", network: network)
        }
        #expect(try own.signIn(target, "b@example.org", network: network).status == 429)
        #expect(try type(PeopleCloud.password, network: network) == 200)
        // It has its own delay, and affects no other account.
        for _ in 0...SignInWaits.freeOfAccount { #expect(try type("wrong password") == 403) }
        #expect(try type(PeopleCloud.password) == 429)
        for _ in 0...SignInWaits.freeOfAccount { _ = try own.signIn(target, "grace@example.org", "wrong password") }
        #expect(try type("wrong password", "grace@example.org") == 429)
    }

    @Test("A password that was hashed at another cost is rehashed at sign-in, and stays the same")
    func hashedAgain() async throws {
        let cost = PasswordHash.Cost(rounds: 5, blockSize: 8, lanes: 2)
        let own = try await PeopleCloud(cost: cost)
        let old = try #require(try own.method)
        #expect(PasswordHash(old.verifier)?.cost == PeopleCloud.cheap)
        let target = try own.redirect()
        #expect(try own.signIn(target, PeopleCloud.email, "wrong password").status == 403)
        #expect(try own.method == old)
        #expect(try own.signIn(target).status == 200)
        let new = try #require(try own.method)
        #expect(PasswordHash(new.verifier)?.cost == cost && new.createdAt == old.createdAt)
        #expect(try own.signIn(target).status == 200)
        #expect(try own.method == new)
        #expect(try own.cloud.check() == [])
    }

    @Test("A refusal, at the password or at the consent page, is reported to the app, and nobody is signed in")
    func cancelled() async throws {
        let own = try await PeopleCloud()
        let target = try own.redirect()
        let sessions = try own.store.rows(SessionRow.newest(limit: 100)).count
        for page in [{ try own.get(target) }, { try own.signIn(target) }] {
            let answer = try own.press("cancel", on: try page(), target)
            let told = try #require(answer.told)
            #expect(told.message == #"{"errorMessage":"accessError"}"# && told.origin == PeopleCloud.origin)
        }
        #expect(try own.store.rows(SessionRow.newest(limit: 100)).count == sessions)
        // It is asked again.
        #expect(try own.signIn(target).told == nil)
    }

    @Test("A password is changed by command, and the old one no longer works")
    func changed() async throws {
        let own = try await PeopleCloud()
        let target = try own.redirect()
        try own.administration.setPassword(of: "Ada@Example.org", to: "another battery", cost: PeopleCloud.cheap)
        #expect(try own.signIn(target).status == 403)
        #expect(try own.signIn(target, " ADA@example.org ", "another battery").status == 200)
        #expect(throws: AdminError.noAccount("none@example.org")) {
            try own.administration.setPassword(of: "none@example.org", to: "another battery", cost: PeopleCloud.cheap)
        }
        #expect(throws: AdminError.accountExists("ada@example.org")) {
            try own.administration.createAccount(
                email: "ada@example.org", name: "", password: "another battery", cost: PeopleCloud.cheap)
        }
        // An invalid password creates no account.
        #expect(throws: AdminError.self) {
            try own.administration.createAccount(email: "new@example.org", name: "", password: "short")
        }
        #expect(try own.cloud.engine.account(email: "new@example.org") == nil)
    }

    @Test("The demo's token allows sign-in on this machine, unless its origins were changed")
    func demo() async throws {
        let own = try await PeopleCloud()
        let demo = try await own.administration.demo(reusing: nil)
        let hash = APIToken.hash(demo.apiToken)
        func origins() throws -> String? {
            try #require(try own.cloud.engine.open(Demo.tenant)).rows(TokenTermsRow.of(hash)).first?.origins
        }
        #expect(try origins() == "loopback")
        try await own.administration.setTerms(of: Hexadecimal.text(hash), in: Demo.tenant) {
            $0.origins = "https://app.example.org"
        }
        _ = try await own.administration.demo(reusing: demo)
        #expect(try origins() == "https://app.example.org")
    }

    @Test("A server that cannot sign a person in reports that to the app and to the person")
    func failure() throws {
        let origin = try #require(WebOrigin(PeopleCloud.origin))
        let failed = SignInPages(.english).failed(to: .page(origin))
        #expect(failed.status == 500 && failed.text.contains("That did not work"))
        let told = try #require(failed.told)
        #expect(told.message == #"{"errorMessage":"unknownError"}"# && told.origin == PeopleCloud.origin)
    }

    @Test("The pages are in English, or in German for browsers that prefer it")
    func languages() async throws {
        let own = try await PeopleCloud()
        let target = try own.redirect()
        for (header, language) in [
            (nil, "en"), ("de", "de"), ("de-AT;q=0.8, en;q=0.5", "de"), ("fr, en;q=0.4, de;q=0.3", "en"), ("fr", "en"),
            ("de;q=0, en", "en"), ("de;q=x", "de"), ("deutsch", "en"), ("*", "en"),
            ("deu-AT, eng;q=0.5", "de"),
        ] as [(String?, String)] {
            let page = try own.get(target, language: header)
            #expect(page.text.contains("<html lang=\"\(language)\">"), "\(header ?? "")")
            #expect(page.text.contains(language == "de" ? "Passwort" : "Password"))
        }
    }
}
