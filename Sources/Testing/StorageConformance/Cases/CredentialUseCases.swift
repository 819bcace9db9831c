import NephosStorage

extension StorageCase {
    static let credentialUses: [StorageCase] = [lastUse, lastUseAtOnce, sessionUses]

    static let lastUse = StorageCase(
        "the last use of a credential is returned, never decreases, and changes neither version nor digest"
    ) { tenant in
        let keys = [
            CredentialKey(.token, Array(repeating: 1, count: 32)), CredentialKey(.key, Array("ab".utf8)),
            CredentialKey(.session, Array(repeating: 1, count: 32)),
        ]
        func days() throws -> [Int64?] {
            let rows = try tenant.store.rows(CredentialUseRow.keyed(keys))
            return keys.map { key in rows.first { $0.key == key }?.day }
        }
        func note(_ days: [(Int, Int64)]) async throws {
            let note = NoteUses(days.map { CredentialUseRow(key: keys[$0.0], day: $0.1) })
            try await tenant.store.commit(note.reading, decide: note.decide)
        }
        let head = try tenant.catalog().head
        try expectEqual(try days(), [nil, nil, nil], "before any use")
        try await note([(2, 20_000), (0, 20_001)])
        try expectEqual(try days(), [20_001, nil, 20_000], "the first uses")
        try await note([(0, 20_000), (2, 20_002), (1, 5), (2, 20_001)])
        try tenant.restart()
        try expectEqual(try days(), [20_001, 5, 20_002], "later and earlier ones")
        var set = ReadSet()
        let forgotten = CredentialUseRow.keyed([keys[2], CredentialKey(.session, [7])])
        set.ask(forgotten)
        try await tenant.store.commit(set) { reading in
            var writes = WriteSet()
            for use in reading[forgotten] { writes.remove(use) }
            return .write(writes, ())
        }
        try expectEqual(try days(), [20_001, 5, nil], "the removed uses")
        try expectEqual(try tenant.catalog().head, head, "the catalog's row")
    }

    static let sessionUses = StorageCase(
        "where a session was used is replaced by a later use, and removed with the session"
    ) {
        tenant in
        let person = try await tenant.person(1)
        let (user, home) = (person.user, person.number)
        @Sendable func session(_ number: UInt8) -> SessionRow {
            SessionRow(id: [number], user: user, privateDatabase: home, secret: [2], createdAt: 1, expiresAt: 2)
        }
        func sources() throws -> [[UInt8]: String] {
            let rows = try tenant.store.rows(SessionUseRow.of([[1], [2], [3]]))
            return Dictionary(rows.map { ($0.session, $0.source.network) }) { first, _ in first }
        }
        let uses = SessionUseRow.of([[1], [2]])
        for (network, known) in [("192.0.2.0/24", false), ("2001:db8::/48", true)] {
            var set = ReadSet()
            set.ask(uses)
            try await tenant.store.commit(set) { reading in
                var writes = WriteSet()
                for number in [UInt8(1), 2] {
                    if !known { writes.put(session(number)) }
                    writes.note(
                        RequestSource(network: network), of: session(number),
                        replacing: reading[uses].first { $0.session == [number] })
                }
                return .write(writes, ())
            }
            try expectEqual(try sources(), [[1]: network, [2]: network], "after a use from \(network)")
        }
        try tenant.restart()
        let ended = SessionRow.keyed([[1]])
        var set = ReadSet()
        set.ask(ended)
        try await tenant.store.commit(set) { reading in
            var writes = WriteSet()
            for session in reading[ended] { writes.remove(session) }
            return .write(writes, ())
        }
        try expectEqual(try sources(), [[2]: "2001:db8::/48"], "after the removal of a session")
        try expectEqual(try tenant.store.check { _, _ in }, [], "findings")
    }

    static let lastUseAtOnce = StorageCase("servers that record the same credentials concurrently do not conflict") {
        tenant in
        let other = try tenant.secondEngine()
        let keys = (UInt8(0)..<50).map { CredentialKey(.session, [$0]) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for round in 0..<8 {
                let store = (round.isMultiple(of: 2) ? tenant : other).store
                group.addTask {
                    let rows = keys.map { CredentialUseRow(key: $0, day: Int64(round)) }
                    let note = NoteUses(round < 4 ? rows : rows.reversed())
                    try await store.commit(note.reading, decide: note.decide)
                }
            }
            try await group.waitForAll()
        }
        let rows = try tenant.store.rows(CredentialUseRow.keyed(keys))
        try expectEqual(rows.map(\.day), keys.map { _ in 7 }, "the last day of all")
    }
}
