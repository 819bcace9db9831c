import CloudKitWire
import NephosDomain
import NephosStorage

/// A link that shows the preview of a message to whoever opens it first (table `message_previews`). It cannot be made of this row: of its
/// token only a hash is kept.
struct PreviewLinkRow: Sendable, Equatable {
    /// SHA-256 of the token.
    var hash: [UInt8]
    var message: Name
    var createdAt: Milliseconds
    /// 0 while nobody has opened it.
    var openedAt: Milliseconds = 0
}

extension PreviewLinkRow: StoredRow {
    static let table = Table(of: Self.self, "message_previews", .tenant, key: ["hash"], isCounted: true)
    static let sample = PreviewLinkRow(hash: [], message: "", createdAt: 0)

    mutating func columns(_ columns: inout some Columns) throws(StorageError) {
        try columns.bytes("hash", &hash)
        try columns.name("message", &message)
        try columns.int("created_at", &createdAt)
        try columns.int("opened_at", &openedAt)
    }

    /// Bytes of chance in a token, which is that many pairs of hexadecimal digits.
    static let tokenBytes = 32
    /// How long a link may be opened.
    static let lifetime: Milliseconds = 15 * 60_000
    /// How long it is remembered, so that who comes late learns why it opens nothing.
    static let memory: Milliseconds = 24 * 3_600_000
    /// Of an environment, those that are remembered too.
    static let countMax = 100

    /// Locked by commits, as ``of(_:)``: nothing else orders those who open one.
    static let all = Scan<Self>(limit: 2 * countMax, lock: .update)

    /// - Parameter token: As it was sent.
    static func of(_ token: String) -> Scan<Self> { Scan(.bytes(APIToken.hash(token)), limit: 1, lock: .update) }

    func isOpen(at now: Milliseconds) -> Bool { openedAt == 0 && now < createdAt + Self.lifetime }
    var forgottenAt: Milliseconds { createdAt + Self.memory }
}
