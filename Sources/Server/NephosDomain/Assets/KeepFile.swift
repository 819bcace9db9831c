public import CloudKitWire
public import NephosStorage

/// Makes a file known whose bytes are on the disk, and answers its receipt.
///
/// Where a file of equal content stands in the database already, that one goes on standing, and the new one may go.
public struct KeepFile: Sendable {
    let context: RequestContext
    private let user: UserID
    private let file: AssetRow

    public struct Answer: Sendable {
        /// The file that stands; not the new one where an equal one was there.
        public var file: AssetRow
        public var receipt: AssetReceiptDictionary
    }

    /// - Parameters:
    ///   - user: Who may put it into a record.
    ///   - nonce: Of the file's name.
    public init(
        context: RequestContext, user: UserID, database: DatabaseNumber, address: [UInt8], nonce: Int64, size: Int64,
        contentType: String
    ) {
        (self.context, self.user) = (context, user)
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
        // Whoever lets go of the file dates that by the head: no earlier than this receipt.
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
        return .write(set, Answer(file: standing, receipt: context.receipt(for: standing, user)))
    }
}
