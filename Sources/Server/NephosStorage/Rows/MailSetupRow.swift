/// How this installation sends mails (table `mail_setup`): one row, or none where it sends none.
package struct MailSetupRow: Sendable, Equatable {
    package enum Kind: Int64, Sendable {
        /// To a server that takes mails.
        case smtp = 1
        /// By a program of the operator's.
        case command = 2
        /// Into a folder of files, for development.
        case folder = 3
    }

    package enum Encryption: Int64, Sendable {
        /// To this machine alone.
        case none = 0
        case startTLS = 1
        case tls = 2
    }

    /// Always 1.
    package private(set) var number: Int64 = 1
    package var kind: Kind
    /// Of a server; else empty.
    package var host = ""
    /// Of a server; else 0.
    package var port: Int64 = 0
    package var encryption = Encryption.none
    /// Who logs in there; empty for nobody.
    package var user = ""
    package var password = Secret([])
    /// The path of the program; else empty.
    package var program = ""
    /// Whom mails are from: an address, and the name before it.
    package var sender: String
    package var senderName = ""
    package var changedAt: Milliseconds

    package init(_ kind: Kind, sender: String, senderName: String = "", changedAt: Milliseconds) {
        (self.kind, self.sender, self.senderName, self.changedAt) = (kind, sender, senderName, changedAt)
    }
}

extension MailSetupRow: StoredRow {
    package static let table = Table(
        of: Self.self, "mail_setup", .installation, key: ["number"], isCounted: true)
    package static let sample = MailSetupRow(.folder, sender: "", changedAt: 0)

    package mutating func columns(_ columns: inout some Columns) throws(StorageError) {
        try columns.int("number", &number)
        try columns.kind("kind", &kind)
        try columns.text("host", &host)
        try columns.int("port", &port)
        try columns.kind("encryption", &encryption)
        try columns.text("login", &user)
        try columns.sealed("password", &password)
        try columns.text("program", &program)
        try columns.text("sender", &sender)
        try columns.text("sender_name", &senderName)
        try columns.int("changed_at", &changedAt)
    }

    package static let only = Scan<Self>(.int(1), limit: 1)
}
