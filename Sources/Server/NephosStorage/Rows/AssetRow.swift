/// A file of one database: content that fields of its records may hold (table `assets`). It stands here from the moment its
/// bytes are on the disk until the moment before they are removed, so that what is named here is there.
public struct AssetRow: Sendable, Equatable {
    /// Bytes of an address.
    public static let addressBytes = 32

    public var database: DatabaseNumber
    /// What the content comes to under the tenant's key; equal content of one database has one row.
    public var address: [UInt8]
    /// Which of all files that ever had this content it is: no file's name is used twice. Its upper 24 bits say who uploaded
    /// it (``UnheldFiles``).
    public var nonce: Int64
    /// Bytes of the content.
    public var size: Int64
    /// As the upload said, `image/png`; empty when it said nothing.
    public var contentType: String
    public var createdAt: Milliseconds
    /// Since when no record holds it, in the trash neither; 0 while one does. Kept by the engine as records change.
    public var releasedAt: Milliseconds

    public init(
        database: DatabaseNumber, address: [UInt8], nonce: Int64, size: Int64, contentType: String = "",
        createdAt: Milliseconds, releasedAt: Milliseconds
    ) {
        self.database = database
        self.address = address
        self.nonce = nonce
        self.size = size
        self.contentType = contentType
        self.createdAt = createdAt
        self.releasedAt = releasedAt
    }

    public var key: AssetKey { AssetKey(database: database, address: address) }

    /// Without `releasedAt`, which moves with every record; whether that is 0 is found out by who holds it.
    public var checksum: Int64 {
        var sum = Checksum()
        for number in [database, nonce, size, createdAt] { sum.add(number) }
        sum.add(address)
        sum.add(contentType.utf8)
        return sum.value
    }
}

/// Names a row of the table `assets`.
public struct AssetKey: Sendable, Hashable {
    public var database: DatabaseNumber
    public var address: [UInt8]

    public init(database: DatabaseNumber, address: [UInt8]) {
        self.database = database
        self.address = address
    }
}

/// That a record holds a file (table `asset_refs`). A record in the trash goes on holding it.
public struct AssetUseRow: Sendable, Equatable {
    public var database: DatabaseNumber
    public var zone: ZoneNumber
    public var record: RecordNumber
    public var use: AssetUse

    public init(database: DatabaseNumber, zone: ZoneNumber, record: RecordNumber, use: AssetUse) {
        self.database = database
        self.zone = zone
        self.record = record
        self.use = use
    }

    public var checksum: Int64 {
        var sum = Checksum()
        for number in [database, zone, record, use.size, use.count] { sum.add(number) }
        sum.add(use.address)
        return sum.value
    }
}

/// A file that a record holds in one or more places.
public struct AssetUse: Sendable, Hashable {
    public var address: [UInt8]
    /// Bytes of the content.
    public var size: Int64
    /// In how many places.
    public var count: Int64

    public init(address: [UInt8], size: Int64, count: Int64 = 1) {
        self.address = address
        self.size = size
        self.count = count
    }

    /// What it adds to ``HeadRow/assetBytes``: as if each place had a copy of its own.
    public var bytes: Int64 { size * count }
}

/// A file to add (`old` nil), or one that is asked for again before it was let go.
public struct AssetWrite: Sendable {
    /// As it was read.
    public var old: AssetRow?
    public var new: AssetRow

    public init(old: AssetRow? = nil, new: AssetRow) {
        self.old = old
        self.new = new
    }
}

/// The files of a tenant that no record holds and that are not swept yet: bytes, by the upper bits of their
/// ``AssetRow/nonce``.
public struct UnheldFiles: Sendable, Equatable {
    /// How far a nonce is moved to the right, sign and all, until it says who uploaded the file and nothing else.
    public static let uploaderShift = 40
    /// A file counts as so many bytes at least, which bounds their number too; and as so many at most.
    public static let bytesMin: Int64 = 64 << 10, bytesMax: Int64 = 1 << 40

    public var byUploader: [Int64: Int64]
    /// How many files.
    public var count: Int

    public init(byUploader: [Int64: Int64] = [:], count: Int = 0) {
        self.byUploader = byUploader
        self.count = count
    }

    public static func + (left: Self, right: Self) -> Self {
        UnheldFiles(
            byUploader: left.byUploader.merging(right.byUploader, uniquingKeysWith: +), count: left.count + right.count)
    }

    public static func += (left: inout Self, right: Self) { left = left + right }
}

/// The files of a tenant, by database and address.
public struct AssetScan: Sendable {
    /// Only those behind; nil from the first.
    public var after: AssetKey?
    public var limit: Int

    public init(after: AssetKey? = nil, limit: Int) {
        self.after = after
        self.limit = limit
    }
}
