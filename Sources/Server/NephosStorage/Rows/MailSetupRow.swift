/// How this installation sends mails (table `mail_setup`): one row, or none if it sends none.
package struct MailSetupRow: Sendable, Equatable {
    package enum Kind: Int64, Sendable {
        /// To a mail server.
        case smtp = 1
        /// By a program of the operator.
        case command = 2
        /// Into a folder of files, for development.
        case folder = 3
    }

    package enum Encryption: Int64, Sendable {
        /// Allowed only for a server on this machine.
        case none = 0
        case startTLS = 1
        case tls = 2
    }

    /// Always 1.
    package private(set) var number: Int64 = 1
    package var kind: Kind
    /// Of a server; otherwise empty.
    package var host = ""
    /// Of a server; otherwise 0.
    package var port: Int64 = 0
    package var encryption = Encryption.none
    /// The user to log in as; empty for no login.
    package var user = ""
    package var password = Secret([])
    /// The path of the program; otherwise empty.
    package var program = ""
    /// The sender's address; the name precedes it in mails.
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
