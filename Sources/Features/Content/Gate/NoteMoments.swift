import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

extension Job {
    /// Notes when records that were saved before their type was content will appear or end, so that who watches is notified then. Asked for when
    /// the settings are imported; what is noted already stays as it is.
    static func noteMoments(_ worker: Worker) -> Job {
        Job(Content.name, dueAfterWriting: nil) { run, store in
            let catalog = try await worker.read(ReadSet(), from: store).catalog
            let settings: ContentSettings
            // What a newer server has set up is for that to note.
            do throws(SectionFailure) { settings = try catalog.content() } catch { return .over }
            for type in settings.types.keys.sorted().compactMap({ catalog.types[$0] }) {
                var position: NameScan.Position?
                repeat {
                    let page = try await worker.read(Content.page(of: type, after: position), from: store).names.first
                    try await note(page?.records.map { ($0.zone, $0.name) } ?? [], worker, run, store)
                    position = page?.next
                } while position != nil
            }
            return .over
        }
    }

    /// By what the records hold when it is noted: each save notes its own.
    private static func note(
        _ records: [(zone: ZoneNumber, name: Name)], _ worker: Worker, _ run: JobRun, _ store: any TenantStore
    ) async throws {
        guard !records.isEmpty else { return }
        let notes = NoteDueEvents(records, in: Content.database, now: run.now)
        let left = try await worker.runner.commit(notes.reading, to: store, decide: notes.decide)
        try await run.keep()
        guard left > 0, records.count > 1 else { return }
        // They have grown since they were found.
        try await note(Array(records[..<(records.count / 2)]), worker, run, store)
        try await note(Array(records[(records.count / 2)...]), worker, run, store)
    }
}
