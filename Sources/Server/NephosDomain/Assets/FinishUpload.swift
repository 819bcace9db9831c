public import CloudKitWire
public import NephosStorage

/// Makes a file known whose bytes are on the disk, and answers its receipt.
///
/// Where a file of equal content stands in the database already, that one goes on standing, and the new one may go.
public struct FinishUpload: Sendable {
    private let context: RequestContext
    private let ticket: UploadTicket
    private let file: AssetRow

    public struct Answer: Sendable {
        /// The file that stands; not the one that was uploaded where an equal one was there.
        public var file: AssetRow
        public var receipt: AssetReceiptDictionary
    }

    /// - Parameters:
    ///   - context: Of the ticket's user, at the time when the upload ended.
    ///   - nonce: Of the file's name.
    public init(
        _ ticket: UploadTicket, context: RequestContext, address: [UInt8], nonce: Int64, size: Int64,
        contentType: String
    ) {
        self.context = context
        self.ticket = ticket
        file = AssetRow(
            database: ticket.database, address: address, nonce: nonce, size: size, contentType: contentType,
            createdAt: context.now, releasedAt: context.now)
    }

    public var reading: ReadSet {
        var set = ticket.admission.reading
        set.databases = [ticket.database]
        set.ask(sameContent)
        return set
    }

    private var sameContent: Scan<AssetRow> { AssetRow.at([file.address], in: file.database) }

    /// - Throws: ``Refusal/authenticationFailed(_:)`` when what let the ticket's holder in was taken back meanwhile.
    public func decide(_ reading: Reading) throws(Refusal) -> Decision<Answer> {
        try ticket.check(reading, now: context.now)
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
        return .write(set, Answer(file: standing, receipt: context.receipt(for: standing, ticket.user)))
    }
}
