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
            contentType: contentType)
    }

    public var reading: ReadSet {
        var set = ticket.admission.reading
        keeping.ask(&set)
        return set
    }

    /// - Throws: ``Refusal/authenticationFailed(_:)`` if the credential of the ticket's holder was revoked meanwhile.
    public func decide(_ reading: Reading) throws(Refusal) -> Decision<KeepFile.Answer> {
        try ticket.check(reading, now: keeping.context.now)
        return try keeping.decide(reading)
    }
}
