import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

/// Notes when records that were saved before their type was content will appear or end, so that who watches is notified then.
struct NoteMoments {
    private static let pageRows = 200

    private let move: SectionMove

    init(_ move: SectionMove) { self.move = move }

    func carryOut(of types: [Name]) async throws(AdminError) {
        let catalog = try move.administration.read(move.store).catalog
        var count = 0
        for type in types.compactMap({ catalog.types[$0] }) {
            var position: NameScan.Position?
            repeat {
                var set = ReadSet()
                set.names = [
                    NameScan(
                        place: .database(Content.database), type: type.row.number, after: position,
                        limit: Self.pageRows, byteLimit: 2 << 20)
                ]
                guard let page = try move.administration.read(move.store, set).names.first else { break }
                try await note(page.records.map { ($0.zone, $0.name) })
                count += page.records.count
                move.progress("content: \(count) records")
                position = page.next
            } while position != nil
        }
        move.progress("")
    }

    /// By what the records hold when it is noted: each save notes its own.
    private func note(_ records: [(zone: ZoneNumber, name: Name)]) async throws(AdminError) {
        guard !records.isEmpty else { return }
        let now = move.administration.inputs.now()
        let notes = NoteDueEvents(records, in: Content.database, now: now)
        let left = try await move.administration.commit(to: move.store, notes.reading, notes.decide)
        guard left > 0, records.count > 1 else { return }
        // They have grown since they were found.
        try await note(Array(records[..<(records.count / 2)]))
        try await note(Array(records[(records.count / 2)...]))
    }
}
