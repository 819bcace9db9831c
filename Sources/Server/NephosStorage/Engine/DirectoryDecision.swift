/// How engines decide what is written into the directory.
extension ReadSet {
    /// Reads and decides until there is something to write.
    ///
    /// - Parameter load: Answers a scan inside the transaction.
    package func decided<Answer: Sendable>(
        _ keys: SecretKeys, _ load: (any AnyScan, inout Reading) throws(StorageError) -> Void,
        _ decide: (Reading) throws -> Decision<Answer>
    ) throws -> (writes: WriteSet, answer: Answer) {
        var reading = Reading(catalog: .ofNobody)
        var next = self
        while true {
            try next.load(by: keys, into: &reading, load)
            switch try decide(reading) {
            case .need(let more, _): next = more
            case .write(let writes, let answer):
                guard writes.isOfDirectory else { throw StorageError.failed("the directory has no records") }
                return (writes, answer)
            }
        }
    }

    /// Answers all scans, and refuses what is no scan.
    package func load(
        by keys: SecretKeys, into reading: inout Reading,
        _ load: (any AnyScan, inout Reading) throws(StorageError) -> Void
    ) throws(StorageError) {
        guard isOfDirectory else { throw .failed("the directory has described tables only") }
        for scan in scans { try load(scan, &reading) }
        try reading.openSecrets(by: keys)
    }

    private var isOfDirectory: Bool {
        var rest = self
        rest.scans = []
        return rest.isNothing
    }
}

extension WriteSet {
    fileprivate var isOfDirectory: Bool {
        var rest = self
        rest.changes = []
        rest.containers = ContainerChange()
        return rest.isEmpty
    }

    /// What it adds to the digest of the directory.
    package var directoryDigest: Int64 { changes.reduce(0) { $0 &+ $1.digestDifference } }
}

extension Catalog {
    /// Of no tenant.
    package static let ofNobody = Catalog(
        head: CatalogHead(tenant: Tenant(container: "", environment: .production), signingKey: [], createdAt: 0),
        rows: [])
}
