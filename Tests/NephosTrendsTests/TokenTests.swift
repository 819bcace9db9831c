import CloudKitWire
import NephosAdmin
import NephosRunner
import NephosStorage
import NephosTesting
import RequestTesting
import Testing

@testable import NephosTrends

/// docs/trends.md, "Tokens".
@Suite("Tokens that read trends") struct TokenTests {
    @Test("Only a hash of a token is stored; it is listed with its last day of use, and valid until it is revoked")
    func life() async throws {
        let own = try await TrendCloud()
        let administration = own.cloud.administration
        let token = try await own.token(name: "Ada's phone")
        _ = try await own.token(isImport: true)
        #expect(token.wholeMatch(of: /trends-[0-9a-f]{16}-[0-9a-f]{48}/) != nil)
        let rows = try own.store.rows(TrendTokenRow.all)
        #expect(rows.count == 2 && rows.allSatisfy { $0.hash.count == 32 })
        let secret = try #require(Hexadecimal.bytes(String(token.suffix(48))))
        for row in rows {
            #expect(!"\(row)".contains(token.suffix(48)))
            #expect(row.hash != secret && !row.id.elementsEqual(secret) && !row.name.contains(token.suffix(48)))
        }
        try await own.cloud.running {
            let answer = try own.series("", headers: TrendCloud.bearer(token), as: .stranger)
            #expect(answer.status == 200)
        }
        var listed = try administration.trendTokens(of: SmallCloud.tenant)
        #expect(listed.compactMap(\.lastDay) == [SmallCloud.now / 86_400_000])
        let own1 = try #require(listed.first { $0.row.name == "Ada's phone" })
        #expect(own1.lastDay != nil && !own1.row.isImport)
        try await administration.revokeTrendToken(String(own1.row.listedID.prefix(6)), in: SmallCloud.tenant)
        #expect(try own.series("", headers: TrendCloud.bearer(token), as: .stranger).status == 401)
        // Repeating it changes nothing.
        own.now += 1_000
        try await administration.revokeTrendToken(own1.row.listedID, in: SmallCloud.tenant)
        listed = try administration.trendTokens(of: SmallCloud.tenant)
        #expect(listed.map(\.row.revokedAt).sorted() == [0, SmallCloud.now])
        await #expect(throws: AdminError.self) {
            try await administration.revokeTrendToken("", in: SmallCloud.tenant)
        }
        await #expect(throws: AdminError.self) {
            try await administration.revokeTrendToken("zz", in: SmallCloud.tenant)
        }
        #expect(try own.cloud.check() == [])
    }

    /// Stores rows of tokens at once.
    private func put(_ ids: Range<UInt8>, revokedAt: Milliseconds, in own: TrendCloud) async throws {
        try await own.store.commit(ReadSet()) { _ in
            var writes = WriteSet()
            for id in ids {
                writes.put(
                    TrendTokenRow(
                        id: [id], hash: [id], name: "", isImport: false, createdAt: Int64(id),
                        revokedAt: revokedAt == 0 ? 0 : revokedAt + Int64(id)))
            }
            return .write(writes, ())
        }
    }

    @Test("The number of tokens is limited; revoked ones make room")
    func limit() async throws {
        let own = try await TrendCloud()
        let most = UInt8(TrendTokenRow.countMax)
        try await put(0..<most, revokedAt: 0, in: own)
        await #expect(throws: AdminError.self) { _ = try await own.token() }
        try await own.cloud.administration.revokeTrendToken("00", in: SmallCloud.tenant)
        _ = try await own.token()
        try await put(most..<2 * most + 3, revokedAt: 1, in: own)
        try await own.cloud.administration.revokeTrendToken("01", in: SmallCloud.tenant)
        _ = try await own.token()
        // The oldest revoked ones are removed.
        let listed = try own.cloud.administration.trendTokens(of: SmallCloud.tenant).map(\.row)
        #expect(listed.count { $0.revokedAt == 0 } == TrendTokenRow.countMax)
        #expect(listed.count { $0.revokedAt != 0 } == TrendTokenRow.countMax)
        #expect(!listed.contains { $0.id == [most] } && listed.contains { $0.id == [2 * most + 2] })
        #expect(try own.cloud.check() == [])
    }

    @Test("An unreadable name is rejected")
    func names() async throws {
        let own = try await TrendCloud()
        await #expect(throws: AdminError.self) { _ = try await own.token(name: "a\u{7}b") }
        await #expect(throws: AdminError.self) { _ = try await own.token(name: String(repeating: "a", count: 256)) }
    }
}
