import CloudKitWire
import NephosDomain
import NephosStorage

/// A link that shows the preview of a message to the first person who opens it (table `message_previews`). The link cannot be
/// derived from the row, which has only a hash of its token.
struct PreviewLinkRow: Sendable, Equatable {
    /// SHA-256 of the token.
    var hash: [UInt8]
    var message: Name
    var createdAt: Milliseconds
    /// 0 if it was not opened.
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

    /// Random bytes in a token, each written as two hexadecimal digits.
    static let tokenBytes = 32
    /// How long a link can be opened.
    static let lifetime: Milliseconds = 15 * 60_000
    /// How long a link is remembered, so that people who come late get an explanation.
    static let memory: Milliseconds = 24 * 3_600_000
    /// The limit per environment, including expired links that are still remembered.
    static let countMax = 100

    /// Locked by commits, like ``of(_:)``: nothing else serializes concurrent openings.
    static let all = Scan<Self>(limit: 2 * countMax, lock: .update)

    /// - Parameter token: As received.
    static func of(_ token: String) -> Scan<Self> { Scan(.bytes(APIToken.hash(token)), limit: 1, lock: .update) }

    func isOpen(at now: Milliseconds) -> Bool { openedAt == 0 && now < createdAt + Self.lifetime }
    var forgottenAt: Milliseconds { createdAt + Self.memory }
}
