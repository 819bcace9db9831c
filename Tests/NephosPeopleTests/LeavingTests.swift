import CloudKitWire
import NephosAdmin
import NephosBackend
import NephosDomain
import NephosRunner
import NephosStorage
import NephosTesting
import RequestTesting
import TestEngines
import Testing

@testable import NephosPeople

/// docs/people.md, "Deleting an account".
@Suite("Accounts that are deleted") struct LeavingTests {
    /// The data that docs/security.md names: who created, and last changed, remaining public records; and that the user existed.
    private static let remains: Set = ["records.created_by", "records.modified_by", "tombstones.name"]

    @Test(
        "Afterwards no row of any table identifies the person, except as owner of public records; no file is left"
    )
    func whole() async throws {
        let cloud = try await LeavingCloud()
        try await cloud.fill()
        let before = try cloud.traces()
        #expect(
            before.isSuperset(of: [
                "accounts.id", "accounts.email", "sign_in_methods.account_id", "browser_sessions.account_id",
                "account_places.account_id", "mail_links.account_id", "outgoing_mails.address", "users.id",
                "sessions.user_id", "session_uses.user_id", "sign_in_consents.user_id", "subscriptions.user_id",
                "devices.user_id",
                "heads.owner", "records.created_by", "records.name", "trash.created_by",
            ]), "\(before.sorted())")
        #expect(try cloud.files() == [1: 1, cloud.user.privateDatabase: 1])
        #expect(try await cloud.delete(takesPublic: false))
        try await cloud.settle()
        let after = try cloud.traces()
        #expect(after == Self.remains, "\(after.sorted())")
        #expect(try cloud.files() == [1: 1])
        let findings = try cloud.own.cloud.check()
        #expect(findings == [], "\(findings)")
        #expect(try cloud.own.status(of: cloud.token) == 421)
        let notes = try cloud.ask(
            "public/records/lookup", #"{"records":[{"recordName":"n1"},{"recordName":"child"}]}"#, as: .friend)
        #expect(notes["records"][0]["created"]["userRecordName"].string == cloud.user.id.recordName)
        #expect(notes["records"][1]["created"]["userRecordName"].string != nil)
        try await recycled(cloud)
    }

    /// A new owner of the address inherits nothing.
    private func recycled(_ cloud: LeavingCloud) async throws {
        let administration = cloud.own.administration
        let id = try administration.createAccount(
            email: PeopleCloud.email, name: "Ada Other", password: PeopleCloud.password, cost: PeopleCloud.cheap)
        #expect(id != cloud.account.id)
        let target = try cloud.own.redirect()
        let token = try cloud.own.press("yes", on: try cloud.own.signIn(target), target).token()
        #expect(try cloud.own.status(of: token) == 200)
        let user = try #require(try cloud.own.store.rows(UserRow.from([(.account, id)])).first)
        #expect(user.id != cloud.user.id && user.privateDatabase > cloud.user.privateDatabase)
        var set = ReadSet()
        set.databases = [user.privateDatabase]
        #expect(try cloud.own.store.read(set).databases[0]?.records == 0)
        let findings = try cloud.own.cloud.check()
        #expect(findings == [], "\(findings)")
    }

    @Test("With --public the person's public records are removed, too, with their cascades; other people's stay")
    func published() async throws {
        let cloud = try await LeavingCloud()
        try await cloud.fill()
        #expect(try await cloud.delete(takesPublic: true))
        try await cloud.settle()
        let after = try cloud.traces()
        #expect(after == ["tombstones.name"], "\(after.sorted())")
        let notes = try cloud.ask(
            "public/records/lookup",
            #"{"records":[{"recordName":"n1"},{"recordName":"child"},{"recordName":"graces"}]}"#, as: .friend)
        #expect(notes["records"][0]["serverErrorCode"].string == "NOT_FOUND")
        #expect(notes["records"][1]["serverErrorCode"].string == "NOT_FOUND")
        #expect(notes["records"][2]["recordName"].string == "graces")
        let findings = try cloud.own.cloud.check()
        #expect(findings == [], "\(findings)")
    }

    // MARK: By the user

    private static func ask(_ own: PeopleCloud, _ fields: [(String, String)]) throws -> RawResponse {
        try own.post("/account", [("form", try own.get("/account").field("form"))] + fields)
    }

    @Test(
        "At /account, with the password: everybody is signed out immediately, and signing in within a week cancels it"
    )
    func week() async throws {
        let cloud = try await LeavingCloud()
        let own = cloud.own
        let wish = [("do", "delete"), ("current", PeopleCloud.password)]
        #expect(try Self.ask(own, [("do", "delete"), ("current", "not that one at all")]).status == 403)
        #expect(try own.status(of: cloud.token) == 200)
        let mails = try own.mails(to: PeopleCloud.email).count
        let asked = try Self.ask(own, wish)
        #expect(asked.status == 200 && asked.text.contains("<b>2026-01-08</b>"), "\(asked.text)")
        let mail = try #require(try own.mails(to: PeopleCloud.email).last)
        #expect(try own.mails(to: PeopleCloud.email).count == mails + 1)
        #expect(mail.contains("will be deleted on 2026-01-08") && mail.contains("http://localhost/sign-in"))
        // Signed out here and in apps, including those without a page.
        #expect(try own.get("/account").status == 303)
        await own.cloud.runDueJobs()
        #expect(try own.status(of: cloud.token) == 421)
        #expect(try own.cloud.ask("GET", PeopleCloud.caller, as: .person).status == 421)
        await #expect(throws: AdminError.self) {
            try await own.administration.createSession(in: SmallCloud.tenant, email: PeopleCloud.email)
        }
        #expect(throws: AdminError.accountExists(PeopleCloud.email)) {
            try own.administration.createAccount(email: PeopleCloud.email, name: "", password: nil)
        }
        // A wrong password reveals nothing about it.
        let wrong = try own.signIn("/sign-in", PeopleCloud.email, "not that one at all")
        #expect(wrong.status == 403 && !wrong.text.contains("deleted"))
        let question = try own.signIn("/sign-in")
        #expect(question.text.contains("Keep your account?") && question.text.contains("2026-01-08"))
        #expect(own.jar["nephos"] == nil)
        let ticket = try question.field("ticket")
        let other = try own.post(
            "/sign-in", [("form", try question.field("form")), ("ticket", "x" + ticket), ("answer", "keep")])
        #expect(other.status == 403)
        let kept = try own.post(
            "/sign-in", [("form", try question.field("form")), ("ticket", ticket), ("answer", "keep")])
        #expect(kept.status == 303 && kept.header("Location") == "/account")
        #expect(try own.get("/account").text.contains("<b>\(PeopleCloud.email)</b>"))
        // A kept cookie signs nobody in again.
        let cookie = own.jar["nephos"]
        own.jar["nephos"] = nil
        let again = try own.post(
            "/sign-in", [("form", try question.field("form")), ("ticket", ticket), ("answer", "keep")])
        #expect(again.status == 200 && own.jar["nephos"] == nil)
        own.jar["nephos"] = cookie
        // Then it is final.
        #expect(try Self.ask(own, wish).status == 200)
        own.now += ScheduleDeletion.delay
        #expect(try own.signIn("/sign-in").status == 410)
        await own.cloud.runDueJobs()
        #expect(try own.signIn("/sign-in").status == 403)
        #expect(try own.cloud.engine.account(email: PeopleCloud.email) == nil)
        #expect(try own.store.rows(UserRow.from([(.account, cloud.account.id)])) == [])
        let findings = try own.cloud.check()
        #expect(findings == [], "\(findings)")
    }

    @Test("A session that is created as the deletion begins is ended, and its caller gets no token")
    func meanwhile() async throws {
        let cloud = try await LeavingCloud()
        let runner = cloud.own.cloud.backend.runner
        #expect(try runner.stays(cloud.account.id, at: cloud.own.now))
        #expect(try await cloud.delete(takesPublic: false))
        // Like a session that was created in between.
        _ = try await cloud.own.administration.commit(to: cloud.own.store, cloud.enrolment.reading) {
            [enrolment = cloud.enrolment] in
            try enrolment.decide($0)
        }
        #expect(try !runner.stays(cloud.account.id, at: cloud.own.now))
        await cloud.own.cloud.runDueJobs()
        #expect(try cloud.own.store.rows(UserRow.from([(.account, cloud.account.id)])) == [])
        #expect(try cloud.own.cloud.engine.directory.rows(AccountDeletionRow.next(limit: 1)) == [])
        let findings = try cloud.own.cloud.check()
        #expect(findings == [], "\(findings)")
    }

    @Test("A session that is created while the last rows are removed causes another pass")
    func lately() async throws {
        let cloud = try await LeavingCloud()
        let deletion = try await cloud.own.administration.deleteAccount(
            PeopleCloud.email, takesPublic: false, isAtOnce: true)
        let (store, runner, enrolment) = (try cloud.own.store, cloud.own.cloud.backend.runner, cloud.enrolment)
        let (account, now, letIn) = (cloud.account.id, cloud.own.now, Countdown(1))
        let users = UserRow.from([(.account, account)])
        let isDone = try await cloud.erasure().run(deletion) {
            guard try store.rows(users).isEmpty, letIn.isOver() else { return }
            _ = try await runner.commit(enrolment.reading, to: store, decide: enrolment.decide)
            #expect(try !runner.stays(account, at: now))
        }
        #expect(isDone && !letIn.isOver())
        #expect(try store.rows(users) == [])
        #expect(try cloud.own.cloud.engine.directory.rows(AccountDeletionRow.next(limit: 1)) == [])
        let findings = try cloud.own.cloud.check()
        #expect(findings == [], "\(findings)")
    }

    /// Represents the death of a process between two transactions.
    private struct Died: Error {}

    @Test(
        "A deletion that dies between any two steps is completed by another process; the store is always consistent")
    func kills() async throws {
        let cloud = try await LeavingCloud()
        try await cloud.fill()
        let deletion = try await cloud.own.administration.deleteAccount(
            PeopleCloud.email, takesPublic: true, isAtOnce: true)
        var (deaths, isDone) = (0, false)
        while !isDone {
            let left = Countdown(deaths + 1)
            do {
                isDone = try await cloud.erasure().run(deletion) { if left.isOver() { throw Died() } }
            } catch is Died {
                deaths += 1
                let findings = try cloud.own.cloud.check()
                #expect(findings == [], "after \(deaths) deaths: \(findings)")
            }
            try #require(deaths < 500)
        }
        #expect(deaths > 10)
        try await cloud.settle()
        let after = try cloud.traces()
        #expect(after == ["tombstones.name"], "\(after.sorted())")
        #expect(try cloud.files() == [1: 1])
        let findings = try cloud.own.cloud.check()
        #expect(findings == [], "\(findings)")
    }
}
