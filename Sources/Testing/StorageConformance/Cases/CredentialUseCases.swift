import NephosStorage

extension StorageCase {
    static let credentialUses: [StorageCase] = [lastUse, lastUseAtOnce]

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
