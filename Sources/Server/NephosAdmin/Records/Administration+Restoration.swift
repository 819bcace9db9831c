package import CloudKitWire
import NephosDomain
package import NephosRunner
package import NephosStorage

/// The result, or expected result, for a deleted record.
package struct RestoredRecord: Sendable, Hashable {
    package var name: Name
    /// Why it cannot be restored; nil if it can.
    package var obstacle: String?
}

extension Administration {
    /// The maximum number of records that one transaction restores, unless more of them need each other; their maximum size in
    /// bytes; and the maximum number that may need each other.
    private static let restoredAtOnce = 200
    private static let restoredBytes: Int64 = 2 << 20
    private static let restoredTogether = 1_000
    /// Each may have a megabyte.
    private static let listedAtOnce = 50

    /// Restores all records of a type that were deleted from the public database at this time or later; of several of one name,
    /// the last deleted. Each is restored after its parent and the targets of its VALIDATE references.
    ///
    /// It works in small transactions while a server may be running. Records restored before an interruption stay restored, and
    /// another call continues.
    ///
    /// - Parameters:
    ///   - isTrial: Nothing is written; the answer is the expected result, if nobody else writes meanwhile.
    ///   - progress: Called with the number of completed records and the total.
    /// - Throws: ``AdminError/noType(_:_:)``.
    package func restoreRecords(
        of type: String, deletedFrom from: Milliseconds, in tenant: Tenant, isTrial: Bool = false,
        progress: (Int, Int) -> Void = { _, _ in }
    ) async throws(AdminError) -> [RestoredRecord] {
        let store = try store(tenant)
        guard let known = try read(store).catalog.types[Name(type)] else { throw .noType(Name(type), tenant) }
        let deleted = try deletedRecords(of: known, from: from, in: store)
        var outcomes: [RestoredRecord] = []
        var restored: Set<Name> = []
        var chunks = chunks(of: deleted, &outcomes)[...]
        while let chunk = chunks.popFirst() {
            let restore = RestoreRecords(
                chunk, type: known.row.number, deletedFrom: from, assuming: isTrial ? restored : [],
                by: inputs.author, now: inputs.now())
            let answer =
                isTrial
                ? try trial(restore, in: store) : try await commit(to: store, restore.reading, restore.decide)
            var later: [Name] = []
            for (name, outcome) in zip(chunk, answer) {
                switch outcome {
                case .restored:
                    outcomes.append(RestoredRecord(name: name, obstacle: nil))
                    if isTrial { restored.insert(name) }
                case .refused(.recordExists):
                    outcomes.append(RestoredRecord(name: name, obstacle: "a record with its name exists"))
                case .refused(.recordNotFound):
                    outcomes.append(RestoredRecord(name: name, obstacle: "it is no longer in the trash"))
                case .refused(let refusal): outcomes.append(RestoredRecord(name: name, obstacle: refusal.reason))
                case .later: later.append(name)
                }
            }
            if !later.isEmpty { chunks = [later] + chunks }
            progress(outcomes.count, deleted.count)
        }
        return outcomes
    }

    private struct DeletedRecord {
        var name: Name
        var bytes: Int64
        var needs: [Name]
    }

    /// Each name once, in the order of deletion.
    private func deletedRecords(
        of type: RecordType, from: Milliseconds, in store: any TenantStore
    ) throws(AdminError) -> [DeletedRecord] {
        var records: [DeletedRecord] = []
        var seen: Set<Name> = []
        var position: TrashRow.Position?
        repeat {
            let scan = TrashRow.newest(
                in: 1, type: type.row.number, from: from, after: position, limit: Self.listedAtOnce)
            let page = try rows(scan, of: store)
            for row in page where seen.insert(row.record.name).inserted {
                records.append(
                    DeletedRecord(
                        name: row.record.name.owned, bytes: row.record.storedBytes,
                        needs: RestoreRecords.needs(of: row.record, type)))
            }
            position = page.count < Self.listedAtOnce ? nil : page.last?.position
        } while position != nil
        return records.reversed()
    }

    /// The records of each transaction, in an order in which they can be restored.
    ///
    /// - Parameter outcomes: Gets the records that cannot be restored.
    private func chunks(of records: [DeletedRecord], _ outcomes: inout [RestoredRecord]) -> [[Name]] {
        var places: [Name: Int] = [:]
        for (place, record) in records.enumerated() { places[record.name] = place }
        var chunks: [[Name]] = []
        var chunk: [Name] = []
        var bytes: Int64 = 0
        for group in RestorationOrder.groups(records.map { $0.needs.compactMap { places[$0] } }) {
            guard group.count <= Self.restoredTogether else {
                outcomes += group.map {
                    RestoredRecord(
                        name: records[$0].name,
                        obstacle: "it is one of \(group.count) records that need each other, and at most "
                            + "\(Self.restoredTogether) can be restored together")
                }
                continue
            }
            let more = group.reduce(0) { $0 + records[$1].bytes }
            if !chunk.isEmpty, chunk.count + group.count > Self.restoredAtOnce || bytes + more > Self.restoredBytes {
                chunks.append(chunk)
                (chunk, bytes) = ([], 0)
            }
            chunk += group.map { records[$0].name }
            bytes += more
        }
        return chunk.isEmpty ? chunks : chunks + [chunk]
    }

    /// The result that a decision would have.
    private func trial(
        _ restore: RestoreRecords, in store: any TenantStore
    ) throws(AdminError) -> [RestoreRecords.Outcome] {
        var set = restore.reading
        while true {
            do {
                switch try restore.decide(try read(store, set)) {
                case .need(let more, _): set.append(more)
                case .write(_, let answer): return answer
                }
            } catch {
                throw AdminError(error)
            }
        }
    }
}
