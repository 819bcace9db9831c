import CloudKitWire
import Crypto

/// The row that versions a tenant's catalog (table `catalog`, one row).
public struct CatalogHead: Sendable, Equatable {
    /// Incremented by every change of schema, roles, grants, tokens and keys. What a process caches of the catalog is valid for one version.
    public var version: Int64
    /// How many times sessions were ended early (docs/decisions/0048). Of a process's cache, only the sessions that ended
    /// since then become invalid (``SessionRow/endNumber``).
    public internal(set) var endedSessions: Int64 = 0
    /// The tenant whose catalog it is.
    public var tenant: Tenant
    /// The number of parts of the public database, fixed when the tenant is created.
    public var lanes: Int64
    /// The last database number that was assigned. Lanes come first: 1...lanes.
    public var lastDatabase: DatabaseNumber
    /// The highest number that a record type ever had, so that a type that is created again never gets the records of a
    /// removed type. Maintained by the engine; 0 in stores that never recorded it.
    public var lastType: TypeNumber
    /// When the tenant was created, in milliseconds since 1970.
    public var createdAt: Milliseconds
    /// When the container was deleted; 0 if it was not.
    public var deletedAt: Milliseconds
    /// The sum, modulo 2^64, of the checksums of all rows of the tenant's counted tables (``Table/isCounted``).
    public var digest: Int64
    /// The secret from which ``signingKey`` is read.
    private var secret: Secret
    /// How the tenant's secrets are sealed, and its files addressed.
    package var sealing = CatalogSealing()

    /// Creates the head of a new tenant.
    ///
    /// - Parameters:
    ///   - signingKey: 32 random bytes.
    ///   - fileKey: The key from which addresses of files are derived: 32 random bytes; empty to derive them from the
    ///     signing key.
    public init(
        version: Int64 = 1, tenant: Tenant, lanes: Int64 = 1, lastDatabase: DatabaseNumber = 1,
        lastType: TypeNumber = 0, signingKey: [UInt8], fileKey: [UInt8] = [], createdAt: Milliseconds,
        deletedAt: Milliseconds = 0, digest: Int64 = 0
    ) {
        self.version = version
        self.tenant = tenant
        self.lanes = lanes
        self.lastDatabase = lastDatabase
        self.lastType = lastType
        self.createdAt = createdAt
        self.deletedAt = deletedAt
        self.digest = digest
        secret = Secret(signingKey)
        sealing.fileKey = fileKey
    }

    /// The columns, in the order in which ``init(_:)`` reads them.
    package static let columns = [
        "version", "container", "environment", "lanes", "last_db", "created_at", "deleted_at", "digest", "last_type",
        "signing_key", "secret_key", "file_key", "file_place", "files_since", "ended_sessions",
    ]

    /// Reads a row that begins with ``columns``. Its secret is not opened yet.
    package init(_ row: borrowing some AnswerRow & ~Copyable) throws(StorageError) {
        guard let environment = Environment(rawValue: row.string(2)) else {
            throw .corrupt("catalog: '\(row.string(2))' is not an environment")
        }
        self.init(
            version: row.int(0), tenant: Tenant(container: row.string(1), environment: environment),
            lanes: row.int(3), lastDatabase: row.int(4), lastType: try row.type(8), signingKey: [],
            fileKey: row.bytes(11), createdAt: row.int(5), deletedAt: row.int(6), digest: row.int(7))
        storedKey = row.bytes(9)
        sealing.key = row.int(10)
        sealing.filePlace = row.int(12)
        sealing.filesSince = row.int(13)
        endedSessions = row.int(14)
    }

    /// Guards the row against damage.
    public var checksum: Int64 {
        var sum = Checksum()
        for number in [version, lanes, lastDatabase, createdAt, deletedAt, digest] { sum.add(number) }
        sum.add(tenant.description.utf8)
        sum.add(storedKey)
        if lastType != 0 { sum.add(Int64(lastType)) }
        // Rows that were stored before these columns were added have no values in them.
        if sealing != CatalogSealing() {
            for number in [sealing.key, sealing.filePlace, sealing.filesSince] { sum.add(number) }
            sum.add(sealing.fileKey)
        }
        if endedSessions != 0 { sum.add(endedSessions) }
        return sum.value
    }
}

/// How the secrets of a tenant are sealed, and from which key its files are addressed (docs/decisions/0021).
package struct CatalogSealing: Sendable, Equatable {
    /// ``SecretKey/id`` of the key that they are sealed under; 0 for a store in the clear.
    package var key: Int64 = 0
    /// The key from which addresses of files are derived: 32 random bytes; empty if the signing key is used.
    package var fileKey: [UInt8] = []
    /// ``CatalogHead/filePlace``; 0 if it is derived from the key.
    package var filePlace: Int64 = 0
    /// ``CatalogHead/filesSince``.
    package var filesSince: Milliseconds = 0

    package init() {}
}

// MARK: Signing

extension CatalogHead {
    /// Signs change tokens, markers, links and receipts. If the stored key could not be opened, it is a random key of this
    /// process, so that nothing that a client sends is trusted.
    public var signingKey: [UInt8] { secret.bytes ?? Self.nobodysKey }

    private static let nobodysKey = (0..<32).map { _ in UInt8.random(in: .min ... .max) }

    /// Whether the signing key could be opened.
    package var isOpen: Bool { secret.bytes != nil }

    /// The signing key as it is stored.
    package var storedKey: [UInt8] {
        get { secret.stored }
        set { secret = Secret(stored: newValue) }
    }

    package mutating func open(by keys: SecretKeys) { secret.open(by: keys, for: Self.place) }

    /// - Parameter key: nil for a store in the clear, which servers of earlier versions must understand: addresses are
    ///   derived from the signing key there.
    package mutating func seal(under key: SecretKey?) throws(StorageError) {
        if key == nil {
            sealing.fileKey = []
        } else if sealing.fileKey.isEmpty {
            // The files must still be found if the signing key is discarded one day.
            sealing.filePlace = filePlace
        }
        sealing.key = key?.id ?? 0
        try secret.seal(under: key, for: Self.place)
    }

    /// Discards the signing key, which cannot be opened any more.
    ///
    /// - Parameters:
    ///   - signingKey: The next one: 32 random bytes.
    ///   - fileKey: The next one, used if the signing key was also the file key.
    package mutating func reset(signingKey: [UInt8], fileKey: [UInt8], at now: Milliseconds) {
        secret = Secret(signingKey)
        guard sealing.fileKey.isEmpty else { return }
        sealing.fileKey = fileKey
        sealing.filesSince = now
    }

    /// Whether the signing key is not sealed under `key`.
    package func isSealed(underOtherThan key: Int64) -> Bool { SecretKey.id(of: storedKey) != key }

    private static let place: [UInt8] = {
        var place = Checksum()
        for text in ["catalog", "signing_key"] { place.add(text.utf8) }
        return place.bytes
    }()
}

// MARK: Files

extension CatalogHead {
    /// The key from which addresses of files are derived.
    public var addressKey: [UInt8] { sealing.fileKey.isEmpty ? signingKey : sealing.fileKey }

    /// Identifies the place where the tenant's files are stored: unique to the tenant, and the key cannot be derived
    /// from it.
    public var filePlace: Int64 {
        if sealing.filePlace != 0 { return sealing.filePlace }
        let code = HMAC<SHA256>.authenticationCode(
            for: Array("asset home".utf8), using: SymmetricKey(data: addressKey))
        return code.prefix(8).reduce(0) { $0 << 8 | Int64($1) }
    }

    /// Files from before this time were addressed under a key that is lost: they cannot be compared with their
    /// addresses. 0 if there are no such files.
    public var filesSince: Milliseconds { sealing.filesSince }
}
