public import CloudKitWire
public import NephosStorage

/// Proves that a caller may put a file into records of a database: the answer to an upload and to `assets/rereference`.
///
/// It is valid for less time than an unreferenced file is kept, so the file of a valid receipt always exists.
public struct AssetReceipt: Sendable, Equatable {
    /// How long a receipt is valid.
    public static let lifetime: Milliseconds = 23 * 3_600_000
    /// The minimum time for which a file that no record references is kept.
    public static let grace: Milliseconds = 24 * 3_600_000

    public var database: DatabaseNumber
    public var user: UserID
    public var address: [UInt8]
    public var size: Int64
    public var expiresAt: Milliseconds

    public init(database: DatabaseNumber, user: UserID, address: [UInt8], size: Int64, expiresAt: Milliseconds) {
        self.database = database
        self.user = user
        self.address = address
        self.size = size
        self.expiresAt = expiresAt
    }

    public func sealed(key: [UInt8]) -> String { SealedToken.seal(content, for: .receipt, key: key) }

    /// For a database of somebody else, about which it says nothing. - Throws: ``Refusal/failed``.
    func encrypted(key: [UInt8]) throws(Refusal) -> String {
        try SealedToken.encrypt(content, for: .memberReceipt, key: key)
    }

    private var content: [UInt8] {
        var content = TokenContent()
        content.append(database)
        content.append(user)
        for number in [size, expiresAt] { content.append(number) }
        return content.bytes + address
    }

    /// - Throws: ``Refusal`` for any text that this tenant did not issue.
    package init(_ text: String, key: [UInt8]) throws(Refusal) {
        var content = TokenContent(
            reading: try SealedToken.open(text, for: .receipt, orEncryptedFor: .memberReceipt, key: key))
        database = try content.next()
        user = try content.nextUser()
        size = try content.next()
        expiresAt = try content.next()
        address = Array(try content.next(AssetRow.addressBytes))
    }

    /// Whether a value that a client saves matches this receipt, and the receipt was issued to the caller.
    func isValid(for asset: FieldAsset, in context: RequestContext, _ database: DatabaseNumber) -> Bool {
        self.database == database && user == context.caller.user && address == asset.address && size == asset.size
            && context.now < expiresAt
    }
}

extension TokenContent {
    mutating func append(_ user: UserID) {
        append(Int64(bitPattern: user.high))
        append(Int64(bitPattern: user.low))
    }

    mutating func nextUser() throws(Refusal) -> UserID {
        let high = UInt64(bitPattern: try next())
        return UserID(high: high, low: UInt64(bitPattern: try next()))
    }
}

extension RequestContext {
    /// What a client puts into a record to have it reference a file.
    package func receipt(for row: AssetRow, _ user: UserID) -> AssetReceiptDictionary {
        dictionary(of: row, assetReceipt(for: row, user).sealed(key: signingKey))
    }

    /// The same for somebody who is not the owner of the database.
    func foreignReceipt(for row: AssetRow, _ user: UserID) throws(Refusal) -> AssetReceiptDictionary {
        dictionary(of: row, try assetReceipt(for: row, user).encrypted(key: signingKey))
    }

    private func assetReceipt(for row: AssetRow, _ user: UserID) -> AssetReceipt {
        AssetReceipt(
            database: row.database, user: user, address: row.address, size: row.size,
            expiresAt: now + AssetReceipt.lifetime)
    }

    private func dictionary(of row: AssetRow, _ receipt: String) -> AssetReceiptDictionary {
        let secrets = AssetSecrets(row.address, key: signingKey, isPublic: row.database == NewUser.publicDatabase)
        return AssetReceiptDictionary(
            asset: FieldAsset(address: row.address, size: row.size), receipt: receipt,
            wrappingKey: secrets.wrappingKey, referenceChecksum: secrets.referenceChecksum)
    }
}
