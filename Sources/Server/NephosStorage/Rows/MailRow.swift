/// A mail that is to be sent (table `outgoing_mails`, of the installation). It is removed when it was sent, or given up.
package struct MailRow: Sendable, Equatable {
    /// The maximum number of waiting mails per address, which limits what a sender can send to one person without pause.
    package static let mostOfAddress = 5
    /// The approximate maximum number of all waiting mails: one in sixty-four is counted.
    package static let most = 10_000
    /// The maximum size of subject and text in bytes of UTF-8.
    package static let contentBytesMax = 64 << 10

    /// 16 random bytes.
    package var id: [UInt8]
    /// The recipient: one address of visible ASCII characters.
    package var address: String
    /// The subject as one line, then the text. Sealed, since a text may contain a link that authenticates.
    package var content: Secret
    /// The purpose, a word for logs: `recovery`.
    package var purpose: String
    package var createdAt: Milliseconds
    /// When to try next. A sender postpones it first, so that no other sends the mail.
    package var nextAt: Milliseconds
    /// When it is given up.
    package var until: Milliseconds
    package var attempts: Int64 = 0

    /// - Parameter subject: Without a line break.
    package init(
        id: [UInt8], address: String, subject: String, text: String, purpose: String, createdAt: Milliseconds,
        until: Milliseconds
    ) {
        (self.id, self.address, self.purpose) = (id, address, purpose)
        content = Secret(Array("\(subject)\n\(text)".utf8))
        (self.createdAt, nextAt, self.until) = (createdAt, createdAt, until)
    }

    /// nil if the key that it was sealed under is missing.
    package var subject: String? { lines?.first.map(String.init) }
    package var text: String? { lines?.last.map(String.init) }

    private var lines: [Substring]? {
        content.text?.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
    }
}

extension MailRow: StoredRow {
    package static let table = Table(
        of: Self.self, "outgoing_mails", .installation, key: ["id"],
        indexes: [
            Table.Index("outgoing_mails_by_time", ["next_at"]), Table.Index("outgoing_mails_by_address", ["address"]),
        ], address: "address")
    package static let sample = MailRow(id: [], address: "", subject: "", text: "", purpose: "", createdAt: 0, until: 0)

    package mutating func columns(_ columns: inout some Columns) throws(StorageError) {
        try columns.bytes("id", &id)
        try columns.text("address", &address)
        try columns.sealed("content", &content)
        try columns.text("purpose", &purpose)
        try columns.int("made_at", &createdAt)
        try columns.int("next_at", &nextAt)
        try columns.int("until", &until)
        try columns.int("attempts", &attempts)
    }

    // MARK: Scans

    package static func keyed(_ id: [UInt8], lock: RowLock = .none) -> Scan<Self> {
        Scan(.bytes(id), limit: 1, lock: lock)
    }

    /// Mails to try up to a time, the first due first.
    package static func due(by time: Milliseconds, limit: Int) -> Scan<Self> {
        Scan(by: "outgoing_mails_by_time", below: [.int(time == .max ? .max : time + 1)], limit: limit)
    }

    /// Mails among these that are to be given up.
    package static func expired(by time: Milliseconds, limit: Int) -> Scan<Self> {
        Scan(
            by: "outgoing_mails_by_time", below: [.int(time + 1)], only: [.atMost("until", .int(time))], limit: limit)
    }

    /// At most ``mostOfAddress`` mails.
    package static func waiting(for address: String) -> Scan<Self> {
        Scan(by: "outgoing_mails_by_address", .text(address), limit: mostOfAddress)
    }

    /// A sample by which the total number is estimated: ids are random.
    package static let some = Scan<Self>(below: [.bytes([4])], limit: most / 64)
}
