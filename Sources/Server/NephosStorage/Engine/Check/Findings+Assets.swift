import CloudKitWire

/// The findings about files and the records that hold them. Whether the bytes of files exist is not checked here.
extension Findings {
    /// - Parameters:
    ///   - hasDatabase: Whether the database of the file exists.
    ///   - isHeld: Whether a record holds the file.
    package mutating func examine(_ row: AssetRow, checksum: Int64, hasDatabase: Bool, isHeld: Bool) {
        let name = "a file of \(row.size) bytes of database \(row.database)"
        expect(row.checksum == checksum, "assets", "\(name): its checksum is wrong")
        expect(row.address.count == AssetRow.addressBytes, "assets", "\(name): its address has the wrong length")
        expect(hasDatabase, "assets", "\(name): there is no such database")
        expect(
            (row.releasedAt == 0) == isHeld, "assets",
            "\(name): its mark for being referenced does not match the references of records")
    }

    /// - Parameters:
    ///   - size: The size of the file; nil if the file has no row.
    ///   - hasRecord: Whether the record exists, possibly in the trash.
    package mutating func examine(_ row: AssetUseRow, checksum: Int64, size: Int64?, hasRecord: Bool) {
        let name = "a file of record \(row.record) of database \(row.database)"
        expect(row.checksum == checksum, "asset_refs", "\(name): the checksum of the reference is wrong")
        expect(size != nil, "assets", "\(name): is missing")
        expect(size == nil || size == row.use.size, "asset_refs", "\(name): has another size")
        expect(hasRecord, "asset_refs", "\(name): there is no such record")
    }
}
