public import CloudKitWire
public import NephosStorage

/// Registers a file whose bytes are on the disk, and returns its receipt.
///
/// If the database already has a file with equal content, that one is kept, and the new one may be removed.
public struct KeepFile: Sendable {
    let context: RequestContext
    private let user: UserID
    /// Whether the database is of somebody else.
    private let isForeign: Bool
    private let file: AssetRow

    public struct Answer: Sendable {
        /// The registered file; not the new one if an equal one existed.
        public var file: AssetRow
        public var receipt: AssetReceiptDictionary
    }

    /// - Parameters:
    ///   - user: The user who may put it into a record.
    ///   - isForeign: Whether the database is of somebody else.
    ///   - nonce: Of the file's name.
    public init(
        context: RequestContext, user: UserID, database: DatabaseNumber, address: [UInt8], nonce: Int64, size: Int64,
        contentType: String, isForeign: Bool = false
    ) {
        (self.context, self.user, self.isForeign) = (context, user, isForeign)
        file = AssetRow(
            database: database, address: address, nonce: nonce, size: size, contentType: contentType,
            createdAt: context.now, releasedAt: context.now)
    }

    public var reading: ReadSet {
        var set = ReadSet()
        ask(&set)
        return set
    }

    func ask(_ set: inout ReadSet) {
        set.databases = [file.database]
        set.ask(sameContent)
    }

    private var sameContent: Scan<AssetRow> { AssetRow.at([file.address], in: file.database) }

    public func decide(_ reading: Reading) throws(Refusal) -> Decision<Answer> {
        guard var head = reading.databases[0] else { throw .failed }
        // A later release of the file is dated by the head: no earlier than this receipt.
        head.time = max(head.time, context.now)
        var set = WriteSet()
        set.heads = [head]
        var standing = file
        if let old = reading[sameContent].first {
            standing = old
            if old.releasedAt > 0 {
                standing.releasedAt = head.time
                set.put(standing, replacing: old)
            }
        } else {
            standing.releasedAt = head.time
            set.put(standing)
        }
        let receipt =
            isForeign ? try context.foreignReceipt(for: standing, user) : context.receipt(for: standing, user)
        return .write(set, Answer(file: standing, receipt: receipt))
    }
}
