package import NephosStorage

/// Identifies one stored file: a content of a database, and one of the times that it was stored.
///
/// The database row for an address contains the current nonce. It is written after the file was published, and its removal is
/// committed before the file is removed. Because a name is never reused, a late removal cannot remove a file that was stored
/// since.
package struct AssetFile: Sendable, Hashable {
    package let home: AssetHome
    package let database: DatabaseNumber
    package let address: AssetAddress
    /// Random, new for every file that is published.
    package let nonce: UInt64

    package init(home: AssetHome, database: DatabaseNumber, address: AssetAddress, nonce: UInt64) {
        self.home = home
        self.database = database
        self.address = address
        self.nonce = nonce
    }
}

extension AssetFile {
    /// The file that a row names; nil if its address is not valid.
    package init?(_ row: AssetRow, in home: AssetHome) {
        guard let address = AssetAddress(bytes: row.address) else { return nil }
        self.init(home: home, database: row.database, address: address, nonce: UInt64(bitPattern: row.nonce))
    }
}

/// A file that was found in a store.
package struct StoredAsset: Sendable, Hashable {
    package let file: AssetFile
    /// In bytes.
    package let size: Int64
    /// When it was published, by the file store's clock.
    package let modifiedAt: Milliseconds

    package init(file: AssetFile, size: Int64, modifiedAt: Milliseconds) {
        self.file = file
        self.size = size
        self.modifiedAt = modifiedAt
    }
}
