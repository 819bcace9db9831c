package import NephosStorage

/// Names one stored file: a content of a database, and which of the times that it was stored.
///
/// The row of a database says which nonce of an address stands. It is written after the file was published, and its removal
/// is committed before the file is removed. Since a name is never used twice, a removal that comes late removes nothing that
/// somebody has stored since.
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
    /// The file that a row names; nil for an address that is none.
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
    /// When it was published, by the clock of whoever keeps the files.
    package let modifiedAt: Milliseconds

    package init(file: AssetFile, size: Int64, modifiedAt: Milliseconds) {
        self.file = file
        self.size = size
        self.modifiedAt = modifiedAt
    }
}
