import CloudKitWire
import NephosStorage

/// Writes described rows, step by step. Step `n` has a row for each of the lowest bits that is set in `n`, so that each step
/// creates, changes and removes some; each row has two parts, which are deleted with it, and a secret. All contain `n`, as do a
/// note of the tenant and a record, all of it in one commit. A second commit then writes a shelf of the installation.
struct ScratchHand: Sendable {
    private static let slots: UInt8 = 6

    let number: UInt8
    let database: TestDatabase

    /// Its rows in the tenant.
    struct State: Equatable, Sendable {
        var rows: [ScratchRow]
        var parts: [ScratchPart]
        var note: ScratchNote
        /// The fields of the record, as stored; empty if there is none.
        var fields: String

        /// The step in the note.
        var step: Int64 { Int64(note.text.text) ?? 0 }
    }

    // MARK: Expected state

    func state(after step: Int64) -> State {
        let slots = (0..<Self.slots).filter { step >> Int64($0) & 1 == 1 }
        return State(
            rows: slots.map { row($0, step) }, parts: slots.flatMap(parts),
            note: ScratchNote(name: name, text: step == 0 ? [] : Bytes("\(step)")),
            fields: step == 0 ? "" : Notes.text("\(step)"))
    }

    func shelf(after step: Int64) -> ScratchShelf {
        ScratchShelf(
            name: name, rank: step * Int64(ScratchWork.hands) + Int64(number), secret: Secret(Array("\(step)".utf8)))
    }

    private var name: String { "hand \(number)" }

    private func row(_ slot: UInt8, _ step: Int64) -> ScratchRow {
        ScratchRow(
            database: database.number, id: [number, slot], user: database.user, label: Name("\(name) \(slot) \(step)"),
            kind: step.isMultiple(of: 2) ? .plain : .odd, isOpen: step.isMultiple(of: 3), dueAt: step, note: "\(step)",
            content: Bytes("\(step)"), secret: Secret(Array("\(slot) \(step)".utf8)))
    }

    private func parts(_ slot: UInt8) -> [ScratchPart] {
        [1, 2].map { ScratchPart(database: database.number, whole: [number, slot], number: $0) }
    }

    // MARK: Stored state

    private var rows: Scan<ScratchRow> {
        Scan(.database(database.number), among: (0..<Self.slots).map { [.bytes([number, $0])] })
    }

    private var parts: Scan<ScratchPart> {
        Scan(.database(database.number), above: [.bytes([number])], limit: 999)
    }

    private var note: Scan<ScratchNote> { Scan(.text(name), limit: 1) }

    func state() throws -> State {
        var set = batch(0).reading
        set.ask(rows)
        set.ask(parts)
        set.ask(note)
        return state(try database.store.read(set))
    }

    private func state(_ reading: Reading) -> State {
        State(
            rows: reading[rows].sorted { $0.id[1] < $1.id[1] },
            parts: reading[parts].filter { $0.whole.first == number },
            note: reading[note].first ?? ScratchNote(name: name, text: []),
            fields: reading.records.first.map { if case .record(let row) = $0 { row.fields.text } else { "" } } ?? "")
    }

    func shelf() throws -> ScratchShelf? { try database.tenant.engine.directory.rows(ScratchShelf.keyed(name)).first }

    /// The last stored step.
    func step() throws -> Int64 { try state().step }

    // MARK: Writing

    func write(_ step: Int64) async throws {
        try await writeRows(step)
        try writeShelf(step)
    }

    private func batch(_ step: Int64) -> Batch {
        Batch(
            database: database, zone: defaultZoneName, changes: [.save(Name(name), Notes.text("\(step)"))], time: step)
    }

    /// The commit for the tenant.
    func writeRows(_ step: Int64) async throws {
        let batch = batch(step)
        var set = batch.reading
        set.ask(rows)
        set.ask(note)
        try await database.store.commit(set) { reading in
            var writes = try batch.writes(reading)
            change(reading[rows], to: state(after: step), in: &writes)
            writes.put(state(after: step).note, replacing: reading[note].first)
            return .write(writes, ())
        }
    }

    private func change(_ rows: [ScratchRow], to state: State, in writes: inout WriteSet) {
        for old in rows where !state.rows.contains(where: { $0.id == old.id }) { writes.remove(old) }
        for new in state.rows {
            let old = rows.first { $0.id == new.id }
            writes.put(new, replacing: old)
            if old == nil { for part in parts(new.id[1]) { writes.put(part) } }
        }
    }

    /// The commit for the installation.
    func writeShelf(_ step: Int64) throws {
        let (scan, new) = (ScratchShelf.keyed(name), shelf(after: step))
        var set = ReadSet()
        set.ask(scan)
        try database.tenant.engine.directory.commit(set) { reading in
            var writes = WriteSet()
            writes.put(new, replacing: reading[scan].first)
            return .write(writes, ())
        }
    }
}

extension ScratchShelf {
    /// The step of the hand to which the shelf belongs.
    var step: Int64 { rank / Int64(ScratchWork.hands) }
}
