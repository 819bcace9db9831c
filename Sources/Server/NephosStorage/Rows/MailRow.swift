/// A mail that waits until it is sent (table `outgoing_mails`, of the installation). It goes when it was sent, or given up.
package struct MailRow: Sendable, Equatable {
    /// Waits that one address has at most; what one sends without pause to somebody is stopped there.
    package static let mostOfAddress = 5
    /// Waits in all, about: every sixty-fourth is looked at.
    package static let most = 10_000
    /// Of subject and text, of UTF-8.
    package static let contentBytesMax = 64 << 10

    /// 16 random bytes.
    package var id: [UInt8]
    /// To whom: one address of visible ASCII characters.
    package var address: String
    /// The subject in a line, then the text. Sealed, for a text may let somebody in.
    package var content: Secret
    /// What it is for, a word for logs: `recovery`.
    package var purpose: String
    package var madeAt: Milliseconds
    /// When to try next. Whoever tries puts it off first, so that nobody else does.
    package var nextAt: Milliseconds
    /// When it is given up.
    package var until: Milliseconds
    package var attempts: Int64 = 0

    /// - Parameter subject: Without a line break.
    package init(
        id: [UInt8], address: String, subject: String, text: String, purpose: String, madeAt: Milliseconds,
        until: Milliseconds
    ) {
        (self.id, self.address, self.purpose) = (id, address, purpose)
        content = Secret(Array("\(subject)\n\(text)".utf8))
        (self.madeAt, nextAt, self.until) = (madeAt, madeAt, until)
    }

    /// nil where the key is missing that it was sealed under.
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
    package static let sample = MailRow(id: [], address: "", subject: "", text: "", purpose: "", madeAt: 0, until: 0)

    package mutating func columns(_ columns: inout some Columns) throws(StorageError) {
        try columns.bytes("id", &id)
        try columns.text("address", &address)
        try columns.sealed("content", &content)
        try columns.text("purpose", &purpose)
        try columns.int("made_at", &madeAt)
        try columns.int("next_at", &nextAt)
        try columns.int("until", &until)
        try columns.int("attempts", &attempts)
    }

    // MARK: Scans

    package static func keyed(_ id: [UInt8], lock: RowLock = .none) -> Scan<Self> {
        Scan(.bytes(id), limit: 1, lock: lock)
    }

    /// Those that are to be tried up to a moment, the first due first.
    package static func due(by time: Milliseconds, limit: Int) -> Scan<Self> {
        Scan(by: "outgoing_mails_by_time", below: [.int(time == .max ? .max : time + 1)], limit: limit)
    }

    /// Those of them that are to be given up.
    package static func over(by time: Milliseconds, limit: Int) -> Scan<Self> {
        Scan(
            by: "outgoing_mails_by_time", below: [.int(time + 1)], only: [.atMost("until", .int(time))], limit: limit)
    }

    /// As many as ``mostOfAddress``.
    package static func waiting(for address: String) -> Scan<Self> {
        Scan(by: "outgoing_mails_by_address", .text(address), limit: mostOfAddress)
    }

    /// Some of all, by which it is known about how many there are: ids are chance.
    package static let some = Scan<Self>(below: [.bytes([4])], limit: most / 64)
}
