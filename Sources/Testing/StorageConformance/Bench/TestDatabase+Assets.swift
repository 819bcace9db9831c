import CloudKitWire
import NephosStorage

extension TestDatabase {
    /// The use of a file whose address repeats this number.
    static func use(_ number: UInt8, size: Int64 = 10, count: Int64 = 1) -> AssetUse {
        AssetUse(address: Array(repeating: number, count: AssetRow.addressBytes), size: size, count: count)
    }

    /// Adds a file without references, or renews the release time of an existing one without references.
    @discardableResult
    func addAsset(_ number: UInt8, size: Int64 = 10, nonce: Int64 = 7, at time: Milliseconds) async throws -> AssetRow {
        let row = AssetRow(
            database: self.number, address: Self.use(number).address, nonce: nonce, size: size,
            contentType: "image/png", createdAt: time, releasedAt: time)
        var set = ReadSet()
        set.databases = [self.number]
        let same = AssetRow.at([row.address], in: self.number)
        set.ask(same)
        return try await store.commit(set) { reading in
            var writes = WriteSet()
            guard let old = reading[same].first else {
                writes.put(row)
                return .write(writes, row)
            }
            guard old.releasedAt > 0 else { return .write(writes, old) }
            var new = old
            new.releasedAt = time
            writes.put(new, replacing: old)
            return .write(writes, new)
        }
    }

    func asset(_ number: UInt8) throws -> AssetRow? {
        try store.rows(AssetRow.at([Self.use(number).address], in: self.number)).first
    }

    /// The numbers of assets and bytes in the head.
    func assetCounts() throws -> [Int64] {
        let head = try head()
        return [head.assets, head.assetBytes]
    }
}
