import NephosAdmin
import NephosRunner
import NephosStorage
import Testing

/// docs/decisions/0025: use cases as a console or a management API would use them.
@Suite("Use cases without a command") struct UseCaseTests {
    private let fixture: AdminFixture
    private let inContainer: InputTexts = ["container": [AdminFixture.container]]

    init() throws { fixture = try AdminFixture.withContainer() }

    @Test("Answers are values") func answers() async throws {
        let call = ScriptedCall(fixture)
        let empty = try await call.run("token list", of: .tokens, inContainer)
        guard case .emptyTable(_, "There is no API token.")? = empty.parts.first, empty.parts.count == 1 else {
            throw Failure("\(empty)")
        }
        let token = try await call.run("token create", of: .tokens, inContainer.merging(["name": ["Web"]]) { $1 })
        guard case .text(let text)? = token.parts.first else { throw Failure("\(token)") }
        #expect(text.count == 64)
        let list = try await call.run("token list", of: .tokens, inContainer)
        guard case .table(let head, let rows)? = list.parts.first else { throw Failure("\(list)") }
        #expect(head == ["id", "name", "made", "last used", "revoked"])
        #expect(rows.map { Array($0.dropFirst()) } == [["Web", "2023-11-14T22:13:20Z", "-", "-"]])
        #expect(call.heard.isEmpty)
    }

    @Test("A failure suggests the next step in the terms of its interface") func failures() async throws {
        let call = ScriptedCall(fixture)
        await #expect(
            throws: Failure(
                """
                There is no container iCloud.x. See all with: press container list. Create it with: press container create \
                iCloud.x
                """
            )
        ) {
            try await call.run("token list", of: .tokens, ["container": ["iCloud.x"]])
        }
        await #expect(
            throws: Failure(
                "There is no account a@b. See all with: press account list. Create it with: press account create a@b")
        ) {
            try await call.run("account show", of: .accounts, ["email": ["a@b"]])
        }
        let production = inContainer.merging(["environment": ["production"], "id": ["12ab"]]) { $1 }
        await #expect(
            throws: Failure(
                """
                There is no API token 12ab in \(AdminFixture.production). See all with: press token list \
                \(AdminFixture.container) --environment production
                """)
        ) {
            try await call.run("token revoke", of: .tokens, production)
        }
        let wrong = await #expect(throws: Failure.self) {
            try await call.run("account create", of: .accounts, ["email": ["mary"]])
        }
        #expect(wrong?.kind == .wrongUsage)
        await #expect(throws: WrongInput.self) { try await call.run("token list", of: .tokens, [:]) }
    }

    @Test("A destructive use case asks, and does nothing without a yes") func questions() async throws {
        for (answers, isDone) in [(["n"], false), (["y"], true)] {
            let call = ScriptedCall(fixture, answers: answers)
            let answer = try? await call.run("schema reset", of: .schemas, inContainer)
            #expect((answer != nil) == isDone)
            #expect(
                call.heard == [
                    "This deletes all records of \(AdminFixture.container) in development, and resets its schema to that of production. "
                        + "Continue? [y/N] "
                ])
        }
        let typed = ScriptedCall(fixture, answers: ["iCloud.other"])
        await #expect(throws: Failure("Nothing was done: \(AdminFixture.container) was not typed.")) {
            try await typed.run("container delete", of: .containers, ["id": [AdminFixture.container]])
        }
        #expect(try fixture.admin.containers() == [AdminFixture.container])
    }
}
