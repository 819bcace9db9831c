import CloudKitWire
import NephosStorage

extension TableCase {
    static let people: [TableCase] = [astray, leaving]

    static let astray = TableCase("check finds rows without a person, and rows in the wrong database") {
        tenant, tables in
        let (one, two) = (try await tenant.person(1), try await tenant.person(2))
        var nobodys = one.scratch(1, "nobody's")
        nobodys.user = UserID(high: 9, low: 9)
        var guest = one.scratch(2, "a guest's")
        guest.user = two.user
        let atHome = ScratchBadge(database: one.number, user: one.user, number: 1)
        let elsewhere = ScratchBadge(database: one.number, user: two.user, number: 2)
        try await tenant.put([nobodys, guest, atHome, elsewhere])
        let found = try tenant.store.check { _, _ in }
        try expectEqual(found.map(\.table), ["scratch", "scratch_badges"], "the findings: \(found)")
        try expect(found.allSatisfy { "\($0)".contains("there is no such user") }, "the reasons: \(found)")
        let row = try unwrap(try tenant.store.rows(ScratchRow.all(in: one.number)).first, "the row without a person")
        try await tenant.write {
            $0.remove(row)
            $0.remove(elsewhere)
        }
    }

    /// How a use case that removes a user treats tables that it knows only by their descriptions.
    static let leaving = TableCase("all rows of a person are removed by the column that names them, and no one else's")
    {
        tenant, _ in
        let (one, two) = (try await tenant.person(1), try await tenant.person(2))
        var guest = two.scratch(2, "in another's database")
        guest.user = one.user
        var host = one.scratch(3, "another's")
        host.user = two.user
        let gone = [one.scratch(1, "at home"), guest]
        let badges = [one, two].map { ScratchBadge(database: $0.number, user: $0.user, number: 1) }
        let part = ScratchPart(database: guest.database, whole: guest.id, number: 1)
        try await tenant.put(gone + [host] + badges + [part])
        let rows = Scan<ScratchRow>(by: "scratch_by_user", .user(one.user), limit: 9, lock: .update)
        let home = Scan<ScratchBadge>(.database(one.number), .user(one.user), limit: 9, lock: .update)
        var set = ReadSet()
        set.databases = [one.number, two.number]
        set.ask(rows)
        set.ask(home)
        try await tenant.store.commit(set) { reading in
            var writes = WriteSet()
            for row in reading[rows] { writes.remove(row) }
            for badge in reading[home] { writes.remove(badge) }
            return .write(writes, ())
        }
        let left = try [one, two].flatMap { try tenant.store.rows(ScratchRow.all(in: $0.number)) }
        try expectEqual(left, [host], "rows that are left")
        try expectEqual(try tenant.store.rows(Scan<ScratchBadge>(limit: 9)), [badges[1]], "badges that are left")
        try expectEqual(try tenant.store.rows(Scan<ScratchPart>(limit: 9)), [], "parts that are left")
    }
}
