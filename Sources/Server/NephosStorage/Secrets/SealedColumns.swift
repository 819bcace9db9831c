import CloudKitWire

extension StoredRow {
    /// Opens what was read sealed. Secrets that cannot be opened stay closed (``Secret/bytes``).
    mutating func open(by keys: SecretKeys) throws(StorageError) {
        guard Self.table.hasSecrets else { return }
        var closed = ClosedSecrets()
        try columns(&closed)
        guard closed.isFound else { return }
        var opening = SecretColumns(of: Self.table) { secret, place in secret.open(by: keys, for: place) }
        try columns(&opening)
    }

    /// - Parameter key: nil for a store in the clear.
    package func sealed(under key: SecretKey?) throws(StorageError) -> Self {
        var sealed = self
        var sealing = SecretColumns(of: Self.table) { secret, place throws(StorageError) in
            try secret.seal(under: key, for: place)
        }
        try sealed.columns(&sealing)
        return sealed
    }

    /// Whether all its secrets are sealed under `key`; those that cannot be opened do not count.
    package func isSealed(under key: Int64) -> Bool {
        var other = ForeignSecretFinder(key: key)
        visit(&other)
        return !other.isFound
    }
}

/// Changes each secret of a row, given the place that it is sealed for: table, column, and the row's key.
private struct SecretColumns: Columns {
    private let table: Table
    private let change: (inout Secret, [UInt8]) throws(StorageError) -> Void
    private var key = Checksum()
    private var place = 0

    init(of table: Table, _ change: @escaping (inout Secret, [UInt8]) throws(StorageError) -> Void) {
        self.table = table
        self.change = change
        key.add(table.name.utf8)
    }

    private mutating func note(_ add: (inout Checksum) -> Void) {
        if place < table.key.count { add(&key) }
        place += 1
    }

    mutating func database(_ number: inout DatabaseNumber) { note { $0.add(number) } }
    mutating func int(_ column: String, _ value: inout Int64) { note { $0.add(value) } }
    mutating func user(_ column: String, _ value: inout UserID) { note { $0.add(value) } }
    mutating func text(_ column: String, _ value: inout String) { note { $0.add(value.utf8) } }
    mutating func utf8(_ column: String, _ value: inout Bytes) { note { $0.add(value) } }
    mutating func bytes(_ column: String, _ value: inout [UInt8]) { note { $0.add(value) } }

    mutating func sealed(_ column: String, _ value: inout Secret) throws(StorageError) {
        var place = key
        place.add(column.utf8)
        try change(&value, place.bytes)
    }

    mutating func sealedText(_ column: String, _ value: inout Secret) throws(StorageError) {
        try sealed(column, &value)
    }
}

/// A visitor that only looks at secrets.
protocol SecretColumnsOnly: Columns {
    mutating func look(at secret: Secret)
}

extension SecretColumnsOnly {
    func database(_ number: inout DatabaseNumber) {}
    func int(_ column: String, _ value: inout Int64) {}
    func user(_ column: String, _ value: inout UserID) {}
    func text(_ column: String, _ value: inout String) {}
    func utf8(_ column: String, _ value: inout Bytes) {}
    func bytes(_ column: String, _ value: inout [UInt8]) {}
    mutating func sealed(_ column: String, _ value: inout Secret) { look(at: value) }
    mutating func sealedText(_ column: String, _ value: inout Secret) { look(at: value) }
}

/// Finds whether a row has a secret that is not opened.
struct ClosedSecrets: SecretColumnsOnly {
    var isFound = false

    mutating func look(at secret: Secret) { if secret.bytes == nil { isFound = true } }
}

/// Finds whether a row has a secret that is not sealed under `key`, and could be.
private struct ForeignSecretFinder: SecretColumnsOnly {
    let key: Int64
    var isFound = false

    mutating func look(at secret: Secret) {
        guard secret.bytes?.isEmpty == false else { return }
        if SecretKey.id(of: secret.stored) != key { isFound = true }
    }
}

extension Reading {
    /// Opens the secrets that were read sealed.
    package mutating func openSecrets(by keys: SecretKeys) throws(StorageError) {
        for index in found.answers.indices { found.answers[index] = try found.answers[index].opened(by: keys) }
        for index in sessionsOfDevices.indices { try sessionsOfDevices[index].open(by: keys) }
    }
}

extension WriteSet {
    /// Seals the secrets of the rows that it writes.
    ///
    /// - Parameter head: The head of the catalog that the decision saw.
    /// - Throws: ``StorageError/noKey(_:)`` if this process lacks the key.
    package mutating func seal(by keys: SecretKeys, _ head: CatalogHead) throws(StorageError) {
        guard secrets != nil || changes.contains(where: { $0.table.hasSecrets }) || !catalog.isEmpty else { return }
        try seal(under: try keys.key(named: secrets?.key ?? head.sealing.key))
    }

    /// - Parameter key: nil for a store in the clear.
    package mutating func seal(under key: SecretKey?) throws(StorageError) {
        for index in changes.indices where changes[index].table.hasSecrets {
            changes[index] = try changes[index].sealed(under: key)
        }
        for index in catalog.indices {
            guard case .pushKey(let row)? = catalog[index].new else { continue }
            catalog[index].new = .pushKey(try row.sealed(under: key))
        }
        sealingKey = key
    }
}

extension TenantSeed {
    /// - Parameter key: nil for a store in the clear.
    package func sealed(under key: SecretKey?) throws(StorageError) -> TenantSeed {
        var seed = self
        try seed.head.seal(under: key)
        return seed
    }
}

extension RowChange {
    fileprivate func sealed(under key: SecretKey?) throws(StorageError) -> RowChange {
        var change = self
        if let new { change.new = try new.sealed(under: key) }
        return change
    }
}
