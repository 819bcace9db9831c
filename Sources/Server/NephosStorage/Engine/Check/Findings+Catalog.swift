import CloudKitWire

/// The findings about the catalog, about users, and about the directory of accounts and containers.
extension Findings {
    /// - Parameters:
    ///   - tenant: The tenant that was opened.
    ///   - highestType: The highest number among the existing types.
    ///   - highestEnd: The highest number that the end of an existing session was assigned.
    package mutating func examine(
        _ head: CatalogHead, of tenant: Tenant, checksum: Int64?, highestType: Int64, highestEnd: Int64
    ) {
        expect(head.checksum == checksum, "catalog", "row 1: its checksum is wrong")
        expect(
            head.lastType == 0 || highestType <= head.lastType, "catalog",
            "row 1: a type has the number \(highestType), but the last assigned was \(head.lastType)")
        expect(
            highestEnd <= head.endedSessions, "catalog",
            "row 1: an ended session has the number \(highestEnd), but the last assigned was \(head.endedSessions)")
        expect(head.tenant == tenant, "catalog", "row 1: belongs to \(head.tenant), not \(tenant)")
    }

    /// - Parameters:
    ///   - stored: The digest in the catalog's row; nil if the row cannot be read.
    ///   - found: The sum of all checksums in the tables that the digest covers.
    package mutating func examineCatalogDigest(stored: Int64?, found: Int64) {
        expect(
            stored == found, "catalog",
            "row 1: the digest is wrong: a row of one of the catalog's tables was added or removed")
    }

    /// - Parameters:
    ///   - ownsDatabase: Whether there is a head of the user's private database that names the user as its owner.
    ///   - isOfKey: Whether the server key that the user stands for exists and names the user.
    package mutating func examine(_ user: UserRow, ownsDatabase: Bool, isOfKey: Bool) {
        let name = "user \(user.id.recordName)"
        switch user.source {
        case .account, .external:
            expect(ownsDatabase, "users", "\(name): does not own database \(user.privateDatabase)")
        case .serverKey: expect(isOfKey, "users", "\(name): there is no such server key")
        }
    }

    /// - Parameter user: The ID of the user in hexadecimal digits.
    package mutating func addMissingUser(_ user: String, ofKey key: String) {
        add("users", "user \(user) of server key \(key) is missing")
    }

    /// - Parameter found: The sum of all checksums in the tables that the digest covers.
    package mutating func examineDirectoryDigest(ofRow row: Int64, stored: Int64, found: Int64) {
        expect(
            stored == found, "meta",
            "row \(row): the digest is wrong: a row of one of the directory's tables was added or removed")
    }
}
