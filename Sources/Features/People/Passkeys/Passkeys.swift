import NephosRunner
import NephosStorage

/// The passkeys of all accounts of an installation: how they are created and used, and what people do with them. All calls may
/// block.
///
/// Throwing functions throw a ``PasskeyProblem`` or a `StorageError`.
struct Passkeys: Sendable {
    /// The limit per account.
    static let countMax = 20
    /// The limit of a name, in UTF-8.
    static let nameBytesMax = 100

    let directory: any DirectoryStore
    let party: RelyingParty

    /// A passkey, as its person sees it.
    struct Item: Sendable, Equatable {
        /// ID of the credential.
        let id: [UInt8]
        let name: String
        let createdAt: Milliseconds
        /// The day of the last use, as its beginning in UTC; 0 if it was never used.
        let usedAt: Milliseconds
        /// Whether it is synchronized, so that it is on all devices of its person.
        let isBackedUp: Bool

        fileprivate init(_ row: SignInMethodRow) {
            (id, name, createdAt, usedAt) = (row.id, row.name, row.createdAt, row.usedAt)
            isBackedUp = PasskeyVerifier(row.verifier)?.flags.contains(.isBackedUp) ?? false
        }
    }

    /// The passkeys of an account in order of creation.
    func list(of account: String) throws(StorageError) -> [Item] {
        try directory.rows(SignInMethodRow.passkeys(of: account)).map(Item.init).sorted { $0.createdAt < $1.createdAt }
    }

    /// - Throws: ``PasskeyProblem/badName``; ``PasskeyProblem/unknown`` if the account has no such passkey.
    func rename(_ id: [UInt8], of account: String, to name: String) throws {
        let name = try Self.name(name)
        let scan = SignInMethodRow.passkey(id, of: account)
        var set = ReadSet()
        set.ask(scan)
        try directory.commit(set) { reading in
            guard let old = reading[scan].first else { throw PasskeyProblem.unknown }
            var (new, writes) = (old, WriteSet())
            new.name = name
            if new != old { writes.put(new, replacing: old) }
            return .write(writes, ())
        }
    }

    /// Removes a passkey. Sessions that it began continue.
    ///
    /// - Throws: ``PasskeyProblem/unknown`` if the account has no such passkey; ``PasskeyProblem/onlyWay`` if the account has
    ///   nothing else to sign in with.
    func remove(_ id: [UInt8], of account: String) throws {
        let all = SignInMethodRow.all(of: account)
        var set = ReadSet()
        set.ask(all)
        try directory.commit(set) { reading in
            guard let row = reading[all].first(where: { $0.kind == .passkey && $0.id == id }) else {
                throw PasskeyProblem.unknown
            }
            guard reading[all].count > 1 else { throw PasskeyProblem.onlyWay }
            var writes = WriteSet()
            writes.remove(row)
            return .write(writes, ())
        }
    }

    /// The name as stored: without surrounding spaces.
    static func name(_ typed: String) throws(PasskeyProblem) -> String {
        let name = String(typed[...].trimmed)
        let isReadable = name.unicodeScalars.allSatisfy { scalar in
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: false
            default: true
            }
        }
        guard (1...nameBytesMax).contains(name.utf8.count), isReadable else { throw .badName }
        return name
    }
}
