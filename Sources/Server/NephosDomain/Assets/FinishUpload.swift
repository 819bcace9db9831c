import CloudKitWire
public import NephosStorage

/// Registers a file that somebody has uploaded, and returns its receipt: ``KeepFile``, as long as the ticket is valid.
public struct FinishUpload: Sendable {
    private let ticket: UploadTicket
    private let keeping: KeepFile

    /// - Parameters:
    ///   - context: Of the ticket's user, at the time when the upload ended.
    ///   - nonce: Of the file's name.
    public init(
        _ ticket: UploadTicket, context: RequestContext, address: [UInt8], nonce: Int64, size: Int64,
        contentType: String
    ) {
        self.ticket = ticket
        keeping = KeepFile(
            context: context, user: ticket.user, database: ticket.database, address: address, nonce: nonce, size: size,
            contentType: contentType, isForeign: ticket.member != nil)
    }

    public var reading: ReadSet {
        var set = ticket.reading
        keeping.ask(&set)
        return set
    }

    /// - Throws: The refusals of ``UploadTicket/check(_:now:)``.
    public func decide(_ reading: Reading) throws(Refusal) -> Decision<KeepFile.Answer> {
        try ticket.check(reading, now: keeping.context.now)
        return try keeping.decide(reading)
    }
}
