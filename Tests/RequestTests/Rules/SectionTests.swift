import NephosAdmin
import NephosDomain
import NephosRunner
import NephosSQLite
import NephosStorage
import NephosTesting
import RequestTesting
import Testing

/// docs/decisions/0032: a feature is configured by documents in the catalog.
@Suite("Catalog sections") struct SectionTests {
    private typealias Cloud = RuleCloud

    private func set(
        _ documents: [String: String?], in store: any TenantStore, of known: [any AnyCatalogSection] = Self.known
    ) async throws -> [String] {
        let change = try ChangeSections(
            documents.mapValues { $0.map { Array($0.utf8)[...] } }, of: known, by: "ada", now: SmallCloud.now)
        return try await store.commit(change.reading, decide: change.decide)
    }

    private static let known: [any AnyCatalogSection] = [CatalogSection<String>.refused]

    private func says(_ text: String, _ own: RuleCloud) throws -> String? {
        try own.modify([Cloud.record("Post", "p", #""text":{"value":"\#(text)"}"#)]).first
    }

    @Test("A new document takes effect with the next request, and its rules apply it")
    func holds() async throws {
        let own = try await RuleCloud()
        #expect(try says("refuse me", own) == "BAD_REQUEST" && says("this", own) == "")
        let version = try own.store.read(ReadSet()).catalog.version
        #expect(try await set(["tally": "this"], in: own.store) == ["tally"])
        #expect(try own.store.read(ReadSet()).catalog.version == version + 1)
        #expect(try says("this", own) == "BAD_REQUEST" && says("refuse me", own) == "")
        // Repeating it changes nothing.
        #expect(try await set(["tally": "this"], in: own.store) == [])
        #expect(try await set(["tally": "that"], in: own.store) == ["tally"])
        let row = try own.store.read(ReadSet()).catalog.sections["tally"]
        #expect(row?.version == 2 && row?.document == Array("that".utf8)[...] && row?.isDeployed == true)
        #expect(try await set(["tally": nil], in: own.store) == ["tally"])
        #expect(try says("refuse me", own) == "BAD_REQUEST" && own.cloud.check() == [])
        // The whole history is kept.
        let history = try own.store.rows(SectionChangeRow.newest(limit: 10))
        #expect(history.map { $0.document.map { String(decoding: $0, as: UTF8.self) } } == [nil, "that", "this"])
        #expect(
            history.map(\.version) == [version + 3, version + 2, version + 1]
                && history.allSatisfy { $0.author == "ada" })
    }

    @Test("An unreadable, too long or unknown document changes nothing, and the error names the problem")
    func refused() async throws {
        let own = try await RuleCloud()
        let version = try own.store.read(ReadSet()).catalog.version
        for (document, reason) in [
            (["tally": "a\nb"], "section tally: it has 2 lines, and may have one"),
            (
                ["tally": String(repeating: "a", count: SectionRow.bytesMax + 1)],
                "section tally can have at most 262144 bytes"
            ),
            (["nobody's": "a"], "there is no section nobody's"),
        ] {
            await #expect(throws: Refusal.self) { try await set(document, in: own.store) }
            do throws(Refusal) {
                _ = try ChangeSections(
                    document.mapValues { Array($0.utf8)[...] }, of: Self.known, by: "ada", now: SmallCloud.now)
            } catch {
                switch error {
                case .badRequest(let text), .limitExceeded(let text): #expect(text == reason)
                default: Issue.record("\(error)")
                }
            }
        }
        #expect(try own.store.read(ReadSet()).catalog.version == version)
    }

    @Test("A document that this server cannot read does not count as missing: rules are informed")
    func unreadable() async throws {
        let own = try await RuleCloud()
        #expect(try own.modify([Cloud.post("shown", opens: SmallCloud.now)]) == [""])
        #expect(
            try own.ask("records/query", #"{"query":{"recordType":"Post"}}"#, as: .friend)["records"].elements.count
                == 1)
        let newer = CatalogSection<Int>("tally", isDeployed: true, uses: { _ in [] }, effects: { _, _ in [] }) {
            document throws(SectionFailure) in document.count
        }
        #expect(try await set(["tally": "a\nb"], in: own.store, of: [newer]) == ["tally"])
        #expect(try says("anything", own) == "BAD_REQUEST")
        // A record that was visible before is now visible to its creator only.
        let look = #"{"records":[{"recordName":"shown"}]}"#
        func name(as caller: SmallCloud.Caller) throws -> String? {
            let record = try own.ask("records/lookup", look, as: caller)["records"].elements.first
            return record?["fields"].isAbsent == false ? record?["recordName"].string : nil
        }
        #expect(try name(as: .friend) == nil && name(as: .person) == "shown")
        let query = #"{"query":{"recordType":"Post"}}"#
        #expect(try own.ask("records/query", query, as: .friend)["records"].elements.count == 0)
        #expect(try own.ask("records/query", query, as: .person)["records"].elements.count == 1)
        let catalog = try own.store.read(ReadSet()).catalog
        #expect(throws: SectionFailure("it has 2 lines, and may have one")) { try catalog.value(of: .refused) }
    }

    @Test("A change of a section that no feature of the server reads asks: it may hide anything")
    func unknown() async throws {
        let own = try await RuleCloud()
        let admin = own.cloud.administration
        let newer = CatalogSection<Int>("newer", isDeployed: true, uses: { _ in [] }, effects: { _, _ in [] }) {
            document throws(SectionFailure) in 0
        }
        _ = try await set(["newer": "a"], in: own.store, of: [newer])
        _ = try await admin.deploySchema(of: SmallCloud.container)
        _ = try await set(["newer": "b"], in: own.store, of: [newer])
        let preview = try admin.previewDeploy(of: SmallCloud.container)
        #expect(preview.isIrreversible)
        #expect(
            preview.description.hasSuffix(
                "Effects:\n  reveals: newer: no feature of this server knows what it hides or refuses"))
    }

    @Test("A deploy copies sections to production, and a reset copies them back")
    func deployed() async throws {
        let own = try await RuleCloud()
        let admin = own.cloud.administration
        let production = try #require(
            try own.cloud.engine.open(Tenant(container: SmallCloud.container, environment: .production)))
        let ofItsOwn = CatalogSection<Int>("own", isDeployed: false, uses: { _ in [] }, effects: { _, _ in [] }) {
            document throws(SectionFailure) in 0
        }
        _ = try await set(["tally": "this", "own": "a"], in: own.store, of: Self.known + [ofItsOwn])
        _ = try await admin.deploySchema(of: SmallCloud.container)
        func sections(_ store: any TenantStore) throws -> [String: String] {
            try store.read(ReadSet()).catalog.sections.mapValues { String(decoding: $0.document, as: UTF8.self) }
        }
        #expect(try sections(production) == ["tally": "this"])
        _ = try await set(["tally": "that"], in: own.store)
        let preview = try admin.previewDeploy(of: SmallCloud.container)
        #expect(preview.description == "Settings:\n  ~ tally\n    - this\n    + that" && !preview.isEmpty)
        try await admin.resetDevelopment(of: SmallCloud.container)
        #expect(try sections(own.store) == ["tally": "this", "own": "a"])
        _ = try await set(["tally": nil], in: own.store)
        #expect(try await admin.deploySchema(of: SmallCloud.container).settings.sections.map(\.name) == ["tally"])
        #expect(try sections(production) == [:])
        #expect(try own.cloud.check() == [])
    }
}
