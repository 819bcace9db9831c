package import CloudKitWire
import NephosDomain
package import NephosStorage

extension Job {
    /// Notes when records that were saved before a feature made their types time-dependent will appear or end, so that watchers are notified then.
    /// Requested when the settings are imported; what is already noted stays as it is.
    ///
    /// - Parameters:
    ///   - name: Of the feature.
    ///   - types: The types that it makes time-dependent; nil if a newer server has written the settings and will note this itself.
    package static func noteMoments(
        _ name: String, _ worker: Worker, of types: @escaping @Sendable (Catalog) -> [Name]?
    ) -> Job {
        Job(name, dueAfterWriting: nil) { run, store in
            let catalog = try await worker.read(ReadSet(), from: store).catalog
            for type in (types(catalog) ?? []).sorted().compactMap({ catalog.types[$0] }) {
                var position: NameScan.Position?
                repeat {
                    var set = ReadSet()
                    set.names = [
                        NameScan(
                            place: .database(1), type: type.row.number, after: position, limit: 200, byteLimit: 2 << 20)
                    ]
                    let page = try await worker.read(set, from: store).names.first
                    try await note(page?.records.map { ($0.zone, $0.name) } ?? [], worker, run, store)
                    position = page?.next
                } while position != nil
            }
            return .finished
        }
    }

    /// Uses the records' content at the time of the transaction: each save notes its own.
    private static func note(
        _ records: [(zone: ZoneNumber, name: Name)], _ worker: Worker, _ run: JobRun, _ store: any TenantStore
    ) async throws {
        guard !records.isEmpty else { return }
        let notes = NoteDueEvents(records, in: 1, now: run.now)
        let left = try await worker.runner.commit(notes.reading, to: store, decide: notes.decide)
        try await run.keep()
        guard left > 0, records.count > 1 else { return }
        // They have grown since they were found; split the batch.
        try await note(Array(records[..<(records.count / 2)]), worker, run, store)
        try await note(Array(records[(records.count / 2)...]), worker, run, store)
    }
}
