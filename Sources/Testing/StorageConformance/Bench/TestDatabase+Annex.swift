import CloudKitWire
import NephosStorage

extension TestDatabase {
    /// Stores bytes of a feature in the head, in a separate commit.
    func keepAnnex(_ bytes: [UInt8], of feature: String = "a") async throws {
        var set = ReadSet()
        set.databases = [number]
        try await store.commit(set) { reading in
            var head = try unwrap(reading.databases[0], "the head")
            try expect(head.annex.set(bytes, of: feature), "\(bytes.count) bytes of \(feature) were refused")
            var writes = WriteSet()
            writes.heads = [head]
            return .write(writes, ())
        }
    }

    func annex(of feature: String = "a") throws -> [UInt8] { try head().annex[feature] }
}

extension TestTenant {
    func annexes(_ kind: DatabaseKind? = nil, after: DatabaseNumber = 0, limit: Int = 99) throws -> [HeadRow] {
        var set = ReadSet()
        set.annexes = [AnnexScan(kind: kind, after: after, limit: limit)]
        return try store.read(set).annexes[0]
    }
}
