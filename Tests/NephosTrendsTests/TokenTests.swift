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
    @Test("Of a token a hash is kept; it is listed with its last day, and good until it is revoked")
    func life() async throws {
        let own = try await TrendCloud()
        let administration = own.cloud.administration
        let token = try await own.token(name: "Ada's phone")
        _ = try await own.token(isImport: true)
        #expect(token.wholeMatch(of: /trends-[0-9a-f]{16}-[0-9a-f]{48}/) != nil)
        let rows = try own.store.rows(TrendTokenRow.all)
        #expect(rows.count == 2 && rows.allSatisfy { $0.hash.count == 32 })
        for row in rows { #expect(!"\(row)".contains(token.suffix(48))) }
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
        // Once more changes nothing.
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

    @Test("There are as many tokens as people can look through; those that were revoked make room")
    func limit() async throws {
        let own = try await TrendCloud()
        for _ in 0..<TrendTokenRow.countMax { _ = try await own.token() }
        await #expect(throws: AdminError.self) { _ = try await own.token() }
        for listing in try own.cloud.administration.trendTokens(of: SmallCloud.tenant) {
            own.now += 1
            try await own.cloud.administration.revokeTrendToken(listing.row.listedID, in: SmallCloud.tenant)
        }
        for _ in 0..<TrendTokenRow.countMax { _ = try await own.token() }
        for listing in try own.cloud.administration.trendTokens(of: SmallCloud.tenant).suffix(3) {
            own.now += 1
            try await own.cloud.administration.revokeTrendToken(listing.row.listedID, in: SmallCloud.tenant)
        }
        _ = try await own.token()
        // The oldest that were revoked are forgotten.
        #expect(try own.cloud.administration.trendTokens(of: SmallCloud.tenant).count == 2 * TrendTokenRow.countMax - 2)
        #expect(try own.cloud.check() == [])
    }

    @Test("A name that people could not read is refused")
    func names() async throws {
        let own = try await TrendCloud()
        await #expect(throws: AdminError.self) { _ = try await own.token(name: "a\u{7}b") }
        await #expect(throws: AdminError.self) { _ = try await own.token(name: String(repeating: "a", count: 256)) }
    }
}
