package import CloudKitWire
import NephosDomain
package import NephosRunner
package import NephosStorage

/// A deleted record that can be restored.
package struct TrashedRecord: Sendable, Equatable {
    package var name: Name
    /// nil if its type has been removed; then it cannot be restored.
    package var type: Name?
    package var deletedAt: Milliseconds
    /// The user record name of the person who deleted it; nil for the operator, and for records deleted along with a large
    /// deletion.
    package var deletedBy: String?
}

extension Administration {
    /// How long deleted records of the public database are kept.
    package static let trashKept: Milliseconds = 30 * 24 * 3_600_000

    /// Deleted records of the public database that can be restored, most recently deleted first.
    package func trash(of tenant: Tenant, limit: Int) throws(AdminError) -> [TrashedRecord] {
        var set = ReadSet()
        let newest = TrashRow.newest(in: 1, limit: limit)
        set.ask(newest)
        let reading = try read(try store(tenant), set)
        return reading[newest].map { row in
            TrashedRecord(
                name: row.record.name, type: reading.catalog.type(row.record.type)?.row.name, deletedAt: row.deletedAt,
                deletedBy: row.deletedBy?.recordName)
        }
    }

    /// Restores a deleted record of the public database; of several of one name, the last deleted.
    ///
    /// - Throws: ``AdminError/notInTrash(_:_:)``; ``AdminError/recordExists(_:_:)``; ``AdminError/refused(_:)`` if its type, its
    ///   parent or the target of a VALIDATE reference is gone.
    package func restoreRecord(named name: String, in tenant: Tenant) async throws(AdminError) -> FoundRecord {
        let name = Name(name)
        let restore = RestoreRecords([name], by: inputs.author, now: inputs.now())
        let store = try store(tenant)
        switch try await commit(to: store, restore.reading, restore.decide).first {
        case .restored(let record):
            return FoundRecord(record: record, zone: ZoneIdentity(name: defaultZoneName, owner: nil))
        case .refused(.recordNotFound): throw .notInTrash(name, tenant)
        case .refused(.recordExists): throw .recordExists(name, tenant)
        case .refused(let refusal): throw .refused("Record \(name) cannot be restored: \(refusal.reason).")
        case .later, nil: throw .storage(.failed("a record to restore has no outcome"))
        }
    }
}
