import CloudKitWire
import Dispatch
import NephosStorage
import StorageConformance
import Synchronization
import Testing

@testable import NephosSQLite

/// Blocks the writer until everything else of a test waits behind it.
private final class Gate: Sendable {
    private let entered = DispatchSemaphore(value: 0)
    private let opened = DispatchSemaphore(value: 0)

    func hold(_ store: SQLiteTenantStore) {
        // A chore has its own transaction, so that those waiting start a group.
        store.commits.add(
            Chore({ (_: WriteSession) in
                self.entered.signal()
                self.opened.wait()
            }) { _ in }, to: store.writer)
        entered.wait()
    }

    func open() { opened.signal() }
}

/// Results of commits, in the order of their arrival.
private final class Answers: Sendable {
    private let results = Mutex<[(Int, Result<Void, any Error>)]>([])
    private let group = DispatchGroup()

    func expect(_ number: Int) -> @Sendable (Result<Void, any Error>) -> Void {
        group.enter()
        return { result in
            self.results.withLock { $0.append((number, result)) }
            self.group.leave()
        }
    }

    func wait() -> [(number: Int, error: (any Error)?)] {
        group.wait()
        return results.withLock { results in
            results.map { number, result in
                if case .failure(let error) = result { return (number, error) }
                return (number, nil)
            }
        }
    }
}

private struct Refusal: Error {}

extension SQLiteOptions {
    /// Groups end by their content, however busy the machine is.
    fileprivate static var patient: SQLiteOptions {
        var options = SQLiteOptions()
        options.groupMilliseconds = 600_000
        return options
    }
}

@Suite("Group commit") struct GroupCommitTests {
    private func save(
        _ name: Name, fields: String = "{}", in store: SQLiteTenantStore,
        _ completion: @escaping @Sendable (Result<Void, any Error>) -> Void
    ) {
        store.commit(
            Notes.reading([name]),
            decide: { .write(try Notes.save([name], fields: fields, from: $0), ()) }, completion: completion)
    }

    @Test("concurrent writers share transactions of at most 64, and are answered in order")
    func groups() throws {
        let cloud = try Cloud(options: .patient)
        let store = try cloud.store()
        let gate = Gate()
        let answers = Answers()
        gate.hold(store)
        for number in 1...130 { save(Name("note \(number)"), in: store, answers.expect(number)) }
        gate.open()
        let answered = answers.wait()
        #expect(answered.map(\.number) == Array(1...130))
        #expect(answered.allSatisfy { $0.error == nil })
        // The gate's own; then 64, 64 and 2, unless a slow machine ended a group by time.
        let commits = store.commits.transactions.load(ordering: .relaxed)
        #expect(commits >= 4 && commits < 65)
        #expect(try store.check { _, _ in } == [])
    }

    @Test("a writer that arrives while a group runs joins it")
    func latecomer() throws {
        let cloud = try Cloud(options: .patient)
        let store = try cloud.store()
        func transactions() -> Int { store.commits.transactions.load(ordering: .relaxed) }
        // A slow machine may end a group by time in between, but not always.
        let haveShared = (1...100).contains { number in
            let before = transactions()
            let answers = Answers()
            let (early, late) = (answers.expect(1), answers.expect(2))
            let name = Name("early \(number)")
            store.commit(
                Notes.reading([name]),
                decide: { reading in
                    save(Name("late \(number)"), in: store, late)
                    return .write(try Notes.save([name], from: reading), ())
                }, completion: early)
            #expect(answers.wait().map(\.number) == [1, 2])
            return transactions() == before + 1
        }
        #expect(haveShared)
        #expect(try store.check { _, _ in } == [])
    }

    @Test("a failing writer leaves the others of its group unaffected")
    func oneFails() throws {
        let cloud = try Cloud(options: .patient)
        let store = try cloud.store()
        let gate = Gate()
        let answers = Answers()
        gate.hold(store)
        save("first", in: store, answers.expect(1))
        // Rejected by its decision.
        store.commit(ReadSet(), decide: { _ -> Decision<Void> in throw Refusal() }, completion: answers.expect(2))
        // Rejected by the table, after half of it was written: it claims that the record is new.
        store.commit(
            Notes.reading(["new", "first"]),
            decide: { reading in
                var reading = reading
                reading.records = [.absent, .absent]
                return .write(try Notes.save(["new", "first"], from: reading), ())
            }, completion: answers.expect(3))
        save("last", in: store, answers.expect(4))
        gate.open()
        let failures = answers.wait().map { $0.error != nil }
        #expect(failures == [false, true, true, false])
        #expect(try store.record("first") != nil)
        #expect(try store.record("new") == nil)
        #expect(try store.record("last") != nil)
        #expect(try store.check { _, _ in } == [])
    }

    @Test("a group that fails while it is written is retried, each writer in its own transaction")
    func oneFailsAlone() throws {
        let cloud = try Cloud(options: .patient)
        let store = try cloud.store()
        let gate = Gate()
        let answers = Answers()
        let decisions = Atomic<Int>(0)
        gate.hold(store)
        for number in 1...3 {
            store.commit(
                Notes.reading([Name("note \(number)")]),
                decide: { reading in
                    decisions.add(1, ordering: .relaxed)
                    var writes = try Notes.save([Name("note \(number)")], from: reading)
                    // Claims that its zone becomes another one: rejected while it is written.
                    if number == 2 { writes.zones[0].new.number = 99 }
                    return .write(writes, ())
                }, completion: answers.expect(number))
        }
        gate.open()
        #expect(answers.wait().map { $0.error != nil } == [false, true, false])
        // The first two share a group, which is lost; then each of them runs alone. The third did not start before that.
        #expect(decisions.load(ordering: .relaxed) == 5)
        #expect(try store.record("note 3")?.sequence == 3)
        #expect(try store.check { _, _ in } == [])
    }

    @Test("counters are correct for a database that one group creates and fills")
    func newDatabase() throws {
        let cloud = try Cloud(options: .patient)
        let store = try cloud.store()
        let gate = Gate()
        let answers = Answers()
        gate.hold(store)
        let first = answers.expect(1)
        store.commit(ReadSet()) { _ in
            var writes = WriteSet()
            var head = HeadRow(database: 2, kind: .personal, owner: Notes.user)
            head.sequence = 1
            head.zoneNumber = 1
            writes.databases = [head]
            writes.users = [
                UserRow(id: Notes.user, source: .account, sourceID: "ada", privateDatabase: 2, createdAt: 1)
            ]
            let zone = ZoneRow(
                database: 2, number: 1, name: defaultZoneName, createdSequence: 1, changedSequence: 1, createdAt: 1)
            writes.zones = [ZoneWrite(old: nil, new: zone)]
            return .write(writes, ())
        } completion: {
            first($0)
        }
        for number in 2...4 {
            let next = answers.expect(number)
            var set = ReadSet()
            set.databases = [2]
            set.zones = [.name(2, defaultZoneName)]
            store.commit(set) { reading in
                guard var head = reading.databases[0], let old = reading.zones[0] else { throw Refusal() }
                head.sequence += 1
                head.recordNumber += 1
                let row = RecordRow(
                    database: 2, number: head.recordNumber, zone: 1, name: Name("note \(number)"),
                    sequence: head.sequence, tagSequence: head.sequence, type: Cloud.note, createdAt: 1,
                    createdBy: Notes.user, modifiedAt: 1, modifiedBy: Notes.user, fields: CanonicalFields.empty)
                var writes = WriteSet()
                var zone = old
                zone.changedSequence = head.sequence
                writes.zones = [ZoneWrite(old: old, new: zone)]
                writes.records = [RecordWrite(old: nil, new: row, references: nil)]
                writes.heads = [head]
                return .write(writes, ())
            } completion: {
                next($0)
            }
        }
        gate.open()
        #expect(answers.wait().allSatisfy { $0.error == nil })
        var set = ReadSet()
        set.databases = [2]
        let head = try store.read(set).databases[0]
        #expect(head?.sequence == 4)
        #expect(head?.records == 3)
        #expect(try store.check { _, _ in } == [])
    }

    @Test("a decision that is too big for a group is run again in its own transaction")
    func big() throws {
        let cloud = try Cloud(options: .patient)
        let store = try cloud.store()
        let gate = Gate()
        let answers = Answers()
        let decisions = Atomic<Int>(0)
        gate.hold(store)
        save("small", in: store, answers.expect(1))
        store.commit(
            Notes.reading(["big"]),
            decide: { reading in
                decisions.add(1, ordering: .relaxed)
                let fields = String(repeating: "x", count: 3 << 20)
                return .write(try Notes.save(["big"], fields: fields, from: reading), ())
            }, completion: answers.expect(2))
        save("after", in: store, answers.expect(3))
        gate.open()
        #expect(answers.wait().map(\.number) == [1, 2, 3])
        #expect(decisions.load(ordering: .relaxed) == 2)
        #expect(try store.record("big")?.fields.count == 3 << 20)
        // The gate; the small one; the big one; the last.
        #expect(store.commits.transactions.load(ordering: .relaxed) == 4)
    }

    /// Deletes the zone of ``Notes`` and creates it again.
    private static func remake(_ reading: Reading) throws -> Decision<Void> {
        guard var head = reading.databases[0], let old = reading.zones[0] else { throw Refusal() }
        head.sequence += 2
        head.zoneNumber += 1
        var dead = old
        dead.state = .dead
        dead.changedSequence = head.sequence - 1
        dead.deletedAt = 1
        let new = ZoneRow(
            database: 1, number: head.zoneNumber, name: old.name, createdSequence: head.sequence,
            changedSequence: head.sequence, createdAt: 1)
        var writes = WriteSet()
        writes.zones = [ZoneWrite(old: old, new: dead), ZoneWrite(old: nil, new: new)]
        writes.heads = [head]
        return .write(writes, ())
    }

    @Test("in a group each writer sees what earlier ones did to a zone, with every kind of read")
    func zones() throws {
        let cloud = try Cloud(options: .patient)
        let store = try cloud.store()
        let gate = Gate()
        let answers = Answers()
        let seen = Mutex<[[Sequence]]>([])
        func look(_ number: Int) {
            var set = Notes.reading([])
            set.zones.append(.number(1, 1))
            set.zoneLists = [1]
            set.zoneFeeds = [ZoneFeedScan(database: 1, after: 0, deletedAfter: 0, limit: 10)]
            store.commit(
                set,
                decide: { reading -> Decision<Void> in
                    let rows = reading.zones.map { $0?.changedSequence ?? 0 }
                    let listed = reading.zoneLists[0].map(\.changedSequence)
                    seen.withLock { $0.append([reading.databases[0]?.sequence ?? 0] + rows + listed) }
                    #expect(reading.zoneFeeds[0].position == reading.databases[0]?.sequence)
                    return .write(WriteSet(), ())
                }, completion: answers.expect(number))
        }
        gate.hold(store)
        save("before", in: store, answers.expect(1))
        // Nothing here forces the zone to be written before it is read.
        store.commit(
            {
                var set = Notes.reading([])
                set.zones.append(.number(1, 1))
                return set
            }(),
            decide: { reading -> Decision<Void> in
                #expect(reading.zones.map { $0?.changedSequence } == [2, 2])
                return .write(WriteSet(), ())
            }, completion: answers.expect(8))
        look(2)
        save("also before", in: store, answers.expect(3))
        store.commit(Notes.reading([]), decide: { try Self.remake($0) }, completion: answers.expect(4))
        look(5)
        save("after", in: store, answers.expect(6))
        look(7)
        gate.open()
        #expect(answers.wait().allSatisfy { $0.error == nil })
        // The head, the zone by name, its first incarnation by number, the live one in the list.
        #expect(seen.withLock { $0 } == [[2, 2, 2, 2], [5, 5, 4, 5], [6, 6, 4, 6]])
        #expect(store.commits.transactions.load(ordering: .relaxed) == 2)
        #expect(try store.record("before") == nil)
        #expect(try store.record("after")?.zone == 2)
        #expect(try store.check { _, _ in } == [])
    }

    @Test("on a full disk the writers of a group are run one by one, and only those that do not fit fail")
    func fullDisk() async throws {
        let cloud = try Cloud(options: .patient)
        let store = try cloud.store()
        try await store.save(["room"])
        try await store.perform { session throws(StorageError) in
            let pages = try session.connection.number("PRAGMA page_count") ?? 0
            _ = try session.connection.number("PRAGMA max_page_count = \(pages + 20)")
        }
        let gate = Gate()
        let answers = Answers()
        gate.hold(store)
        save("small", in: store, answers.expect(1))
        save("large", fields: String(repeating: "x", count: 1 << 20), in: store, answers.expect(2))
        save("small too", in: store, answers.expect(3))
        gate.open()
        let answered = answers.wait()
        #expect(answered.map(\.number) == [1, 2, 3])
        #expect(answered.map { $0.error as? StorageError } == [nil, .full, nil])
        #expect(try store.record("small") != nil)
        #expect(try store.record("large") == nil)
        #expect(try store.record("small too") != nil)
        #expect(try store.check { _, _ in } == [])
    }

    @Test("a writer beyond the limit of waiting ones is told to try again (docs/protocol.md, limits)")
    func busy() throws {
        var options = SQLiteOptions()
        options.waitingCommits = 3
        let cloud = try Cloud(options: options)
        let store = try cloud.store()
        let gate = Gate()
        let answers = Answers()
        gate.hold(store)
        for number in 1...3 { save("note", in: store, answers.expect(number)) }
        gate.open()
        let answered = answers.wait()
        #expect(answered.map(\.number) == [3, 1, 2])
        #expect(answered[0].error as? StorageError == .busy)
        #expect(answered[1...].allSatisfy { $0.error == nil })
    }

    @Test("closing answers waiting writers, and rejects later ones")
    func close() throws {
        let cloud = try Cloud(options: .patient)
        let store = try cloud.store()
        let answers = Answers()
        for number in 1...50 { save(Name("note \(number)"), in: store, answers.expect(number)) }
        cloud.engine.close()
        #expect(answers.wait().allSatisfy { $0.error == nil })

        let late = Answers()
        save("late", in: store, late.expect(1))
        #expect(late.wait()[0].error as? StorageError == .closed)
        #expect(throws: StorageError.closed) { try store.read(ReadSet()) }
    }

    @Test("a decision that writes what it did not read, or decreases a head, is rejected")
    func engineGuards() async throws {
        let cloud = try Cloud(options: .patient)
        let store = try cloud.store()
        await #expect(throws: StorageError.self) {
            try await store.commit(Notes.reading(["a"])) { reading in
                var writes = try Notes.save(["a"], from: reading)
                writes.heads = []
                return .write(writes, ())
            }
        }
        await #expect(throws: StorageError.self) {
            var set = Notes.reading(["a"])
            set.databases = []
            try await store.commit(set) { reading in
                var reading = reading
                reading.databases = [HeadRow(database: 1, kind: .publicLane, owner: nil)]
                return .write(try Notes.save(["a"], from: reading), ())
            }
        }
        await #expect(throws: StorageError.self) {
            try await store.commit(Notes.reading(["a"])) { reading in
                var writes = WriteSet()
                writes.heads = reading.databases.compactMap { $0 }
                writes.heads[0].sequence -= 1
                return .write(writes, ())
            }
        }
        #expect(try store.check { _, _ in } == [])
    }
}
