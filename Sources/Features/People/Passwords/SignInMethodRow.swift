import NephosStorage

/// A way in which the person of an account proves their identity (table `sign_in_methods`, of the installation): valid for every
/// container.
struct SignInMethodRow: Sendable, Equatable {
    enum Kind: Int64, Sendable { case password = 1, passkey = 2 }

    /// ID of the account.
    var account: String
    var kind: Kind
    /// Distinguishes several methods of a kind: for a passkey its credential's ID, at most 1,023 bytes; empty for a password, of
    /// which an account has one.
    var id: [UInt8] = []
    /// The data against which a proof is checked: for a password ``PasswordHash/text``, for a passkey ``PasskeyVerifier/text``.
    /// It grants no access by itself.
    var verifier: String
    /// A name that the person chose; empty for a password.
    var name = ""
    var createdAt: Milliseconds
    /// The day of the last use, as its beginning in UTC; 0 if it was never used, and for a password.
    var usedAt: Milliseconds = 0
}

extension SignInMethodRow: StoredRow {
    static let table = Table(
        of: Self.self, "sign_in_methods", .installation, key: ["account_id", "kind", "id"],
        indexes: [Table.Index("sign_in_methods_by_id", ["kind", "id"])], isCounted: true, person: "account_id",
        withheld: ["verifier"])
    static let sample = SignInMethodRow(account: "", kind: .password, verifier: "", createdAt: 0)

    mutating func columns(_ columns: inout some Columns) throws(StorageError) {
        try columns.text("account_id", &account)
        try columns.kind("kind", &kind)
        try columns.bytes("id", &id)
        try columns.text("verifier", &verifier)
        try columns.text("name", &name)
        try columns.int("created_at", &createdAt)
        try columns.int("used_at", &usedAt)
    }

    /// The current row, locked until the commit that reads it ends.
    static func locked(_ row: SignInMethodRow) -> Scan<Self> {
        Scan(.text(row.account), .kind(row.kind), .bytes(row.id), limit: 1, lock: .update)
    }

    /// Whether a proof by an earlier version of this row is still valid. A passkey's row changes with its use.
    func proves(asDid before: SignInMethodRow?) -> Bool { kind == .passkey || verifier == before?.verifier }

    static func password(of account: String) -> Scan<Self> {
        Scan(.text(account), .kind(Kind.password), .bytes([]), limit: 1)
    }

    /// Of any kind. An account has few.
    static func all(of account: String) -> Scan<Self> { Scan(.text(account), limit: Passkeys.countMax + 2) }

    static func passkey(_ id: [UInt8], of account: String) -> Scan<Self> {
        Scan(.text(account), .kind(Kind.passkey), .bytes(id), limit: 1)
    }

    static func passkeys(of account: String) -> Scan<Self> {
        Scan(.text(account), .kind(Kind.passkey), limit: Passkeys.countMax + 1)
    }

    /// In any account.
    static func passkeys(called id: [UInt8]) -> Scan<Self> {
        Scan(by: "sign_in_methods_by_id", .kind(Kind.passkey), .bytes(id), limit: 1)
    }

    /// Some of the installation's passkeys, if it has any.
    static func passkeys(limit: Int) -> Scan<Self> {
        Scan(by: "sign_in_methods_by_id", .kind(Kind.passkey), limit: limit)
    }

    static let anyPasskey = passkeys(limit: 1)
}
