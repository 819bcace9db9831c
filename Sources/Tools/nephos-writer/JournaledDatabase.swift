import CloudKitWire
import Foundation
import NephosDomain
import NephosStorage
import NephosTesting
import TestEngines

/// A writer's access to a user's private database through an engine of this process, with a journal of acknowledged writes.
final class JournaledDatabase: Sendable {
    private let engine: any StorageEngine
    private let store: any TenantStore
    private let session: SessionRow

    init(folder: String, url: String?, container: String, account: String) async throws {
        let engine = try openEngine(folder: folder, url: url)
        guard let store = try engine.open(Tenant(container: container, environment: .development)) else {
            throw Problem("there is no container \(container)")
        }
        var random = SystemRandomNumberGenerator()
        func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in .random(in: .min ... .max, using: &random) } }
        let enrolment = Enrolment.person(
            account: account, newID: UserID(high: random.next(), low: random.next()), sessionID: bytes(16),
            secret: bytes(32), expiresAt: .max, now: JournaledDatabase.now)
        guard let session = try await store.commit(enrolment.reading, decide: enrolment.decide) else {
            throw Problem("\(account) could not be enrolled")
        }
        self.engine = engine
        self.store = store
        self.session = session
    }

    func close() { engine.close() }

    static var now: Milliseconds { Milliseconds(Date().timeIntervalSince1970 * 1_000) }

    /// A barrier for all writers: each creates its own zone and waits for those of the others.
    func meet(_ number: Int, of count: Int) async throws {
        try await modifyZones([("create", "ready\(number)")])
        let everybody = Set((0..<count).map { "ready\($0)" })
        guard try Deadline(seconds: 60).waits(until: { try everybody.isSubset(of: zones()) }) else {
            throw Problem("the other writers did not get ready within 60 s")
        }
    }

    // MARK: Requests

    /// Executes a `records/modify` request.
    ///
    /// - Returns: False if there was no such zone.
    func modifyRecords(_ json: String) async throws -> Bool {
        let operation = try ModifyRecords(RecordsModifyRequest(json: Bytes(json)), context: try context()) { "unused" }
        do {
            _ = try await commit(operation.reading, operation.decide)
            return true
        } catch Refusal.zoneNotFound {
            return false
        }
    }

    /// Executes a `zones/modify` request.
    func modifyZones(_ operations: [(kind: String, zone: String)]) async throws {
        let items = operations.map { #"{"operationType":"\#($0.kind)","zone":{"zoneID":{"zoneName":"\#($0.zone)"}}}"# }
        let json = #"{"operations":[\#(items.joined(separator: ","))]}"#
        let operation = try ModifyZones(ZonesModifyRequest(json: Bytes(json)), context: try context())
        _ = try await commit(operation.reading, operation.decide)
    }

    private func zones() throws -> Set<String> {
        let operation = try ListZones(context: try context())
        return Set(operation.answer(try store.read(operation.reading)).map(\.zone.name.text))
    }

    // MARK: Upkeep

    func sweep(rows: Int) async throws { _ = try await store.sweepDeadZones(rows: rows, at: 1) }

    func purge(before time: Milliseconds, rows: Int) async throws {
        // Written first, because a reader may see the effect before the call returns.
        try write(.purge(before: time))
        _ = try await store.purgeTombstones(deletedBefore: time, rows: rows)
    }

    // MARK: Committing

    private func context() throws -> RequestContext {
        RequestContext(
            catalog: try store.read(ReadSet()).catalog, caller: .person(session), scope: .private,
            now: JournaledDatabase.now)
    }

    private struct Acknowledged<Answer: Sendable>: Sendable {
        var answer: Answer
        /// nil if nothing was written.
        var commit: JournalCommit?
    }

    private func commit<Answer: Sendable>(
        _ set: ReadSet, _ decide: @escaping @Sendable (Reading) throws -> Decision<Answer>
    ) async throws -> Answer {
        let acknowledged = try await store.commit(set) { reading -> Decision<Acknowledged<Answer>> in
            switch try decide(reading) {
            case .need(let more, _): return .need(more)
            case .write(let writes, let answer):
                return .write(writes, Acknowledged(answer: answer, commit: JournalCommit(writes, seen: reading)))
            }
        }
        if let commit = acknowledged.commit { try write(.commit(commit)) }
        return acknowledged.answer
    }

    private func write(_ line: JournalLine) throws {
        try FileHandle.standardOutput.write(contentsOf: Data((try line.text() + "\n").utf8))
    }
}

extension JournalCommit {
    /// nil for a decision that writes nothing.
    fileprivate init?(_ writes: WriteSet, seen reading: Reading) {
        guard let head = writes.heads.first, let seen = reading.databases.first ?? nil else { return nil }
        self.init(before: seen.sequence, after: head.sequence)
        for write in writes.zones where write.new.state == .dead {
            zonesDeleted.append(
                Zone(
                    number: write.new.number, name: write.new.name.text, sequence: write.new.changedSequence,
                    deletedAt: write.new.deletedAt))
        }
        for write in writes.zones where write.old == nil {
            zonesMade.append(
                Zone(number: write.new.number, name: write.new.name.text, sequence: write.new.createdSequence))
        }
        saves = writes.records.map { write in
            Save(
                zone: write.new.zone, name: write.new.name.text, sequence: write.new.sequence,
                replaced: write.old?.tagSequence, fields: String(decoding: write.new.fields, as: UTF8.self))
        }
        deletions = writes.deletions.map { deletion in
            Deletion(
                zone: deletion.tombstone.zone, name: deletion.tombstone.name.text,
                sequence: deletion.tombstone.sequence, replaced: deletion.old.tagSequence,
                deletedAt: deletion.tombstone.deletedAt)
        }
    }
}
