import CloudKitWire
import NephosStorage

extension StorageCase {
    static let assets: [StorageCase] = [
        assetRows, heldAssets, assetsOfManyRecords, missingAssets, assetsInTheTrash, assetsOfDeadZones, assetSweep,
        claimedAgain, unreferencedFiles,
    ]

    private typealias Files = TestDatabase

    static let assetRows = StorageCase(
        "files are returned as they were written, by address and in order, and equal content of two databases is two files"
    ) { tenant in
        let (first, second) = (tenant.publicDatabase, try await tenant.person(1))
        let rows = [
            try await first.addAsset(2, size: 0, at: 5), try await second.addAsset(1, size: .max, at: 6),
            try await second.addAsset(2, nonce: .min, at: 7),
        ]
        try tenant.restart()
        let keys = [rows[2].key, AssetKey(database: first.number, address: rows[1].address), rows[0].key]
        let byKey = try tenant.store.rows(AssetRow.at(keys)).sorted { $0.nonce < $1.nonce }
        try expectEqual(byKey, [rows[2], rows[0]], "the files by key")
        let addresses = [rows[1].address, rows[0].address, rows[1].address]
        let byAddress = try tenant.store.rows(AssetRow.at(addresses, in: second.number)).sorted { $0.nonce < $1.nonce }
        try expectEqual(byAddress, [rows[2], rows[1]], "the files of a database by address")
        let lists = [(nil, 10), (nil, 2), (rows[1].key, 10), (rows[2].key, 10)].map { AssetRow.after($0, limit: $1) }
        let expected = [rows, Array(rows.prefix(2)), [rows[2]], []]
        try expectEqual(try lists.map(tenant.store.rows), expected, "the lists")
        let renewed = try await second.addAsset(1, at: 9)
        try expectEqual(renewed.releasedAt, 9, "when a file that was uploaded again was released")
        try expectEqual(try second.asset(1)?.size, .max, "its size, which stays")
    }

    static let unreferencedFiles = StorageCase(
        "sizes of unheld files are added up by the upper bits of their nonces, small ones as 64 KB, until they are swept"
    ) { tenant in
        let (one, zone) = (tenant.publicDatabase, try await tenant.person(1).createZone("Notes"))
        func expect(_ expected: [Int64: Int64], _ count: Int, _ what: String) throws {
            var set = ReadSet()
            set.unreferencedFiles = true
            let files = UnreferencedFiles(byUploader: expected, count: count)
            try expectEqual(try tenant.store.read(set).unreferencedFiles, files, what)
        }
        let (small, uploader) = (UnreferencedFiles.bytesMin, UnreferencedFiles.uploaderShift)
        try expect([:], 0, "of no files")
        try await one.addAsset(1, size: 5, nonce: 3 << uploader | 77, at: 5)
        try await one.addAsset(2, size: small + 1, nonce: 3 << uploader, at: 6)
        try await zone.database.addAsset(1, nonce: -1, at: 7)
        try await zone.database.addAsset(3, size: .max, nonce: .min, at: 8)
        let strange = [Int64.min >> uploader: UnreferencedFiles.bytesMax]
        try expect([3: 2 * small + 1, -1: small].merging(strange) { $1 }, 4, "of all files")
        try await zone.commit([.save("a", assets: [Files.use(1)])], at: 10)
        try expect([3: 2 * small + 1].merging(strange) { $1 }, 3, "of those that no record holds")
        try await zone.commit([.delete("a")], at: 20)
        try expect([3: 2 * small + 1, -1: small].merging(strange) { $1 }, 4, "of unheld and released ones")
        _ = try await tenant.store.sweepAssets(releasedBefore: 7, rows: 10)
        try expect([-1: small].merging(strange) { $1 }, 2, "of those that were not swept")
    }

    static let heldAssets = StorageCase(
        "a file is held while a record holds it: replacing, clearing and deleting release it, at the time of the head"
    ) { tenant in
        let zone = try await tenant.person(1).createZone("Notes")
        for number in [UInt8(1), 2] { try await zone.database.addAsset(number, at: 3) }
        try await zone.commit([.save("a", assets: [Files.use(1, count: 2)])], at: 10)
        try expectEqual(try zone.database.asset(1)?.releasedAt, 0, "when a held file was released")
        try expectEqual(try zone.database.assetCounts(), [2, 20], "places and bytes")
        try expectEqual(try zone.stub("a")?.flags, .assets, "the flags of a stub")
        try await zone.commit([.save("a", assets: [Files.use(2)])], at: 20)
        try expectEqual(try zone.database.asset(1)?.releasedAt, 20, "when a replaced file was released")
        try expectEqual(try zone.database.assetCounts(), [1, 10], "places and bytes after replacing")
        try await zone.commit([.save("a")], at: 30)
        try expectEqual(try zone.database.asset(2)?.releasedAt, 30, "when a cleared file was released")
        try await zone.commit([.save("a", assets: [Files.use(1), Files.use(2)])], at: 40)
        try await zone.commit([.delete("a")], at: 50)
        try expectEqual(
            [try zone.database.asset(1)?.releasedAt, try zone.database.asset(2)?.releasedAt], [50, 50],
            "when files of a deleted record were released")
        try expectEqual(try zone.database.assetCounts(), [0, 0], "places and bytes at last")
    }

    static let assetsOfManyRecords = StorageCase(
        "a file of several records is released by the last, and can move from one to another in one commit"
    ) { tenant in
        let zone = try await tenant.person(1).createZone("Notes")
        try await zone.database.addAsset(1, at: 3)
        try await zone.commit([.save("a", assets: [Files.use(1)]), .save("b", assets: [Files.use(1)])])
        try await zone.commit([.delete("a")], at: 5)
        try expectEqual(try zone.database.asset(1)?.releasedAt, 0, "when it was released, held by one more")
        try await zone.commit([.delete("b"), .save("c", assets: [Files.use(1)])], at: 6)
        try expectEqual(try zone.database.asset(1)?.releasedAt, 0, "when it was released, moved to another")
        try await zone.commit([.save("c", #"{"n":1}"#, assets: [Files.use(1)])], at: 7)
        try expectEqual(try zone.database.asset(1)?.releasedAt, 0, "when it was released, held again")
        try await zone.commit([.delete("c")], at: 8)
        try expectEqual(try zone.database.asset(1)?.releasedAt, 8, "when it was released by the last")
    }

    static let missingAssets = StorageCase(
        "a record with a file that is missing, of another size or of another database is not written"
    ) { tenant in
        let zone = try await tenant.person(1).createZone("Notes")
        try await tenant.publicDatabase.addAsset(1, at: 3)
        try await zone.database.addAsset(2, size: 11, at: 3)
        for use in [Files.use(1), Files.use(2), Files.use(3)] {
            do {
                try await zone.commit([.save("a", assets: [use])])
                throw PromiseBroken("a record holds a missing file", file: #fileID, line: #line)
            } catch is StorageError {}
        }
        try expectEqual(try zone.record("a"), nil, "the record")
        try expectEqual(try zone.database.assetCounts(), [0, 0], "places and bytes")
    }

    static let assetsInTheTrash = StorageCase(
        "a record in the trash keeps holding its files; a restoration takes them over, and expiry releases them"
    ) { tenant in
        let zone = tenant.publicDatabase.defaultZone
        for number in [UInt8(1), 2] { try await zone.database.addAsset(number, at: 3) }
        try await zone.commit([.save("a", assets: [Files.use(1)]), .save("b", assets: [Files.use(2)])], at: 4)
        try await zone.commit([.discard("a"), .discard("b")], at: 10)
        try expectEqual(try zone.database.asset(1)?.releasedAt, 0, "when a file in the trash was released")
        try expectEqual(try zone.database.assetCounts(), [2, 20], "places and bytes in the trash")
        try await zone.restore("a", assets: [Files.use(1)])
        try expectEqual(try zone.database.asset(1)?.releasedAt, 0, "when a restored file was released")
        try expectEqual(try zone.database.assetCounts(), [2, 20], "places and bytes after a restoration")
        _ = try await tenant.store.purgeTrash(deletedBefore: 11, rows: 10, at: 15)
        try expectEqual(try zone.database.asset(2)?.releasedAt, 15, "when a file of the purged trash was released")
        try await zone.commit([.discard("a")], at: 20)
        try await zone.giveUp("a")
        try expectEqual(try zone.database.asset(1)?.releasedAt, 20, "when an abandoned file was released")
        try expectEqual(try zone.database.assetCounts(), [0, 0], "places and bytes at last")
    }

    static let assetsOfDeadZones = StorageCase(
        "files of a deleted zone are released by its sweep, except those that another zone holds"
    ) { tenant in
        let (dead, live) = (
            try await tenant.person(1).createZone("Dead"), try await tenant.person(1).createZone("Live")
        )
        for number in UInt8(1)...5 { try await dead.database.addAsset(number, at: 3) }
        try await dead.commit((1...5).map { .save(Name("\($0)"), assets: [Files.use(UInt8($0), count: 2)]) })
        try await live.commit([.save("a", assets: [Files.use(3)])])
        try await dead.database.deleteZone("Dead", at: 9)
        try await tenant.sweepAll(rows: 2, at: 12)
        let released = try (UInt8(1)...5).map { try dead.database.asset($0)?.releasedAt }
        try expectEqual(released, [12, 12, 0, 12, 12], "when the files were released")
        try expectEqual(try dead.database.assetCounts(), [1, 10], "places and bytes that are left")
    }

    static let assetSweep = StorageCase(
        "files released before a given time are removed, some at a time, in all databases, and no others"
    ) { tenant in
        let (first, second) = (tenant.publicDatabase, try await tenant.person(1))
        for number in UInt8(1)...3 { try await first.addAsset(number, at: Milliseconds(number)) }
        let last = try await second.addAsset(1, nonce: 9, at: 2)
        try await second.addAsset(2, at: 1)
        try await second.defaultZone.commit([.save("a", assets: [Files.use(2)])])
        let store = tenant.store
        var forgotten: [[AssetRow]] = []
        for _ in 0..<4 { forgotten.append(try await store.sweepAssets(releasedBefore: 3, rows: 2)) }
        try expectEqual(forgotten.map(\.count), [2, 1, 0, 0], "how many each step removed")
        try expect(forgotten.joined().contains(last), "the removed files are not returned completely")
        let left = try store.rows(AssetRow.after(nil, limit: 10))
        try expectEqual(left.map(\.address.first), [3, 2], "what is left")
    }

    static let claimedAgain = StorageCase(
        "a file that was released long ago and is held again is not swept; a removed one can be added again"
    ) { tenant in
        let zone = try await tenant.person(1).createZone("Notes")
        try await zone.database.addAsset(1, at: 1)
        try await zone.commit([.save("a", assets: [Files.use(1)])], at: 2)
        try expectEqual(try await tenant.store.sweepAssets(releasedBefore: 100, rows: 9).count, 0, "removed files")
        try await zone.commit([.delete("a")], at: 3)
        try expectEqual(try await tenant.store.sweepAssets(releasedBefore: 100, rows: 9).count, 1, "removed files")
        try expectEqual(try zone.database.asset(1), nil, "the file")
        let again = try await zone.database.addAsset(1, nonce: 8, at: 4)
        try expectEqual(try zone.database.asset(1), again, "the file that was added again")
    }
}
