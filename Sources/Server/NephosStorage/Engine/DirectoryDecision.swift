/// The execution of decisions that write into the directory, shared by all engines.
extension ReadSet {
    /// Loads the read sets that a decision requests, and calls it until it returns a write set.
    ///
    /// - Parameter load: Loads the rows of a scan inside the transaction.
    package func decided<Answer: Sendable>(
        _ keys: SecretKeys, _ load: (any AnyScan, inout Reading) throws(StorageError) -> Void,
        _ decide: (Reading) throws -> Decision<Answer>
    ) throws -> (writes: WriteSet, answer: Answer) {
        var reading = Reading(catalog: .placeholder)
        var next = self
        while true {
            try next.load(by: keys, into: &reading, load)
            switch try decide(reading) {
            case .need(let more, _): next = more
            case .write(let writes, let answer):
                guard writes.isOfDirectory else {
                    throw StorageError.failed("a decision about the directory cannot write records")
                }
                return (writes, answer)
            }
        }
    }

    /// Loads all scans of the set. A set with anything else is refused.
    package func load(
        by keys: SecretKeys, into reading: inout Reading,
        _ load: (any AnyScan, inout Reading) throws(StorageError) -> Void
    ) throws(StorageError) {
        guard isOfDirectory else {
            throw .failed("the directory has only described tables, and can be read only by scans")
        }
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

    /// The difference that the writes add to the digest of the directory.
    package var directoryDigest: Int64 { changes.reduce(0) { $0 &+ $1.digestDifference } }
}

extension Catalog {
    /// A catalog of no tenant, for decisions about the directory.
    package static let placeholder = Catalog(
        head: CatalogHead(tenant: Tenant(container: "", environment: .production), signingKey: [], createdAt: 0),
        rows: [])
}
