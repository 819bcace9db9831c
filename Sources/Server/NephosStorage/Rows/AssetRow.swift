/// A file of one database: content that fields of its records may hold (table `assets`). The row exists from the moment its
/// bytes are on the disk until just before they are removed, so that every file with a row exists.
public struct AssetRow: StoredRow {
    /// The length of an address in bytes.
    public static let addressBytes = 32

    /// The database that the file belongs to.
    public var database: DatabaseNumber
    /// A keyed hash of the content under the tenant's key; equal content of one database has one row.
    public var address: [UInt8]
    /// Distinguishes all files that ever had this content: no file name is used twice. Its upper 24 bits identify the
    /// uploader (``UnreferencedFiles``).
    public var nonce: Int64
    /// The size of the content in bytes.
    public var size: Int64
    /// As specified by the upload, `image/png`; empty if it was not specified.
    public var contentType: String
    /// When the row was created, in milliseconds since 1970.
    public var createdAt: Milliseconds
    /// Since when no record holds it, not even in the trash; 0 while one does. Maintained by the engine as records change.
    public var releasedAt: Milliseconds

    /// Creates a row from its columns.
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

    /// What names the row.
    public var key: AssetKey { AssetKey(database: database, address: address) }

    // MARK: Table

    /// The checksum does not cover `released_at`, which changes with every record; a check compares it with the records that
    /// hold the file. A writer of a row holds the head of its database, like all who access its files, although
    /// the head counts only files that are held.
    public static let table = Table(
        of: Self.self, "assets", .database, key: ["db", "address"], isCounted: true,
        checksum: .frozen(["db", "nonce", "size", "created_at", "address", "content_type"]))

    public static let sample = AssetRow(database: 0, address: [], nonce: 0, size: 0, createdAt: 0, releasedAt: 0)

    public mutating func columns(_ columns: inout some Columns) throws(StorageError) {
        try columns.database(&database)
        try columns.bytes("address", &address)
        try columns.int("nonce", &nonce)
        try columns.int("size", &size)
        try columns.text("content_type", &contentType)
        try columns.int("created_at", &createdAt)
        try columns.int("released_at", &releasedAt)
    }

    public func count(in head: inout HeadRow, times: Int64, checksum: Int64) {}

    // MARK: Scans

    /// The rows of a database with these addresses, in any order.
    public static func at(_ addresses: some Swift.Sequence<[UInt8]>, in database: DatabaseNumber) -> Scan<Self> {
        let once = Set(addresses).sorted { $0.lexicographicallyPrecedes($1) }
        return Scan(.database(database), among: once.map { [.bytes($0)] })
    }

    /// The rows with these keys, in any order.
    ///
    /// - Parameter keys: Each key once.
    public static func at(_ keys: [AssetKey]) -> Scan<Self> {
        Scan(among: keys.map { [.database($0.database), .bytes($0.address)] })
    }

    /// The rows of a tenant, by database and address: after a key, or from the first.
    public static func after(_ key: AssetKey?, limit: Int) -> Scan<Self> {
        Scan(above: key.map { [.database($0.database), .bytes($0.address)] }, limit: limit)
    }
}

/// The key of a row of the table `assets`.
public struct AssetKey: Sendable, Hashable {
    /// The database that the file belongs to.
    public var database: DatabaseNumber
    /// The address of the content (``AssetRow/address``).
    public var address: [UInt8]

    /// Names a file by its database and address.
    public init(database: DatabaseNumber, address: [UInt8]) {
        self.database = database
        self.address = address
    }
}

/// A file that a record holds (table `asset_refs`). A record in the trash still holds its files.
public struct AssetUseRow: StoredRow {
    /// The database that the record is in.
    public var database: DatabaseNumber
    /// The number of the zone that the record is in.
    public var zone: ZoneNumber
    /// The number of the record that holds the file.
    public var record: RecordNumber
    /// Which file, and in how many places.
    public var use: AssetUse

    /// Creates a row from its columns.
    public init(database: DatabaseNumber, zone: ZoneNumber, record: RecordNumber, use: AssetUse) {
        self.database = database
        self.zone = zone
        self.record = record
        self.use = use
    }

    public static let table = Table(
        of: Self.self, "asset_refs", .database, key: ["db", "zone_no", "record_no", "address"], isCounted: true,
        checksum: .frozen(["db", "zone_no", "record_no", "size", "uses", "address"]))

    public static let sample = AssetUseRow(database: 0, zone: 0, record: 0, use: AssetUse(address: [], size: 0))

    public mutating func columns(_ columns: inout some Columns) throws(StorageError) {
        try columns.database(&database)
        try columns.int("zone_no", &zone)
        try columns.int("record_no", &record)
        try columns.bytes("address", &use.address)
        try columns.int("uses", &use.count)
        try columns.int("size", &use.size)
    }

    public func count(in head: inout HeadRow, times: Int64, checksum: Int64) {
        head.assets += times * use.count
        head.assetBytes += times * use.bytes
    }
}

/// A file that a record holds, in one or more places.
public struct AssetUse: Sendable, Hashable {
    /// The address of the content (``AssetRow/address``).
    public var address: [UInt8]
    /// The size of the content in bytes.
    public var size: Int64
    /// The number of places.
    public var count: Int64

    /// Creates a use, of one place unless `count` is given.
    public init(address: [UInt8], size: Int64, count: Int64 = 1) {
        self.address = address
        self.size = size
        self.count = count
    }

    /// The amount it adds to ``HeadRow/assetBytes``: as if each place had its own copy.
    public var bytes: Int64 { size * count }
}

/// The files of a tenant that no record holds and that are not swept yet: bytes, by the upper bits of their ``AssetRow/nonce``.
public struct UnreferencedFiles: Sendable, Equatable {
    /// The number of bits by which a nonce is shifted right, with its sign, to get the part that identifies the uploader.
    public static let uploaderShift = 40
    /// The fewest bytes that a file counts for, which also limits the number of files.
    public static let bytesMin: Int64 = 64 << 10
    /// The most bytes that a file counts for.
    public static let bytesMax: Int64 = 1 << 40

    /// Bytes, by who uploaded the files.
    public var byUploader: [Int64: Int64]
    /// The number of files.
    public var count: Int

    /// Creates a sum; without arguments, that of no files.
    public init(byUploader: [Int64: Int64] = [:], count: Int = 0) {
        self.byUploader = byUploader
        self.count = count
    }

    /// Adds up two sums, uploader by uploader.
    public static func + (left: Self, right: Self) -> Self {
        UnreferencedFiles(
            byUploader: left.byUploader.merging(right.byUploader, uniquingKeysWith: +), count: left.count + right.count)
    }

    /// Adds another sum, uploader by uploader.
    public static func += (left: inout Self, right: Self) { left = left + right }
}
