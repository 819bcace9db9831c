import CloudKitWire
import NephosStorage
import NephosTesting
import Testing

/// docs/protocol.md, Z2, Z4, Z5 and Z7, with writers in separate processes.
@Suite("Feeds of a store that two processes write to", .serialized)
struct TwoProcessTests {
    /// Both save and delete records of the same zones, create, delete and re-create the zones, sweep and purge. In the meantime
    /// this process follows the feeds, from nothing and from tokens of any age.
    @Test("rebuild every zone from nothing and from any token, while both write, recreate zones and purge")
    func anyHistory() async throws {
        var tally = FeedVerifier.Tally()
        for seed in Options.seeds {
            let history = try await play(seed)
            print("\(history); NEPHOS_SEED=\(seed) makes the same choices")
            tally += history
        }
        // Histories without these events would prove nothing.
        #expect(tally.turns > 5 * Options.seeds.count, "the processes did not write at the same time: \(tally)")
        #expect(tally.copies > 0 && tally.expiredByPurge > 0 && tally.expiredByRecreation > 0, "\(tally)")
    }

    private func play(_ seed: UInt64) async throws -> FeedVerifier.Tally {
        let person = try await Person()
        let writers = try Writers(person, seed: seed)
        var devices = Devices(seed: seed)
        var observations: [Observation] = []
        while !writers.haveEnded { observations += try devices.goOn(person) }
        try #require(try writers.faults() == [], "NEPHOS_SEED=\(seed)")
        observations += try devices.catchUp(person)

        let journals = try writers.journals()
        let time = try #require(Self.someDeletion(journals), "nobody deleted anything, NEPHOS_SEED=\(seed)")
        try await purge(person, before: time)
        observations += try devices.catchUp(person)

        var verifier = FeedVerifier(start: person.start, journals: journals + [[.purge(before: time)]])
        do {
            for observation in observations { try verifier.verify(observation) }
            try verifier.finish()
            try compare(person, verifier.model, purgedBefore: time)
        } catch let fault as Fault {
            Issue.record("\(fault), NEPHOS_SEED=\(seed)")
        }
        #expect(try person.store.check { _, _ in } == [], "NEPHOS_SEED=\(seed)")
        #expect(try person.engine.checkDirectory() == [], "NEPHOS_SEED=\(seed)")
        return verifier.tally
    }

    /// The time of a deletion in the second half of the history.
    private static func someDeletion(_ journals: [[JournalLine]]) -> Milliseconds? {
        var times: [Milliseconds] = []
        for case .commit(let commit) in journals.joined() { times += commit.deletions.map(\.deletedAt) }
        return times.isEmpty ? nil : times.sorted()[times.count * 3 / 4]
    }

    private func purge(_ person: Person, before time: Milliseconds) async throws {
        while try await person.store.sweepDeadZones(rows: 50, at: 1) {}
        while try await person.store.purgeTombstones(deletedBefore: time, rows: 50) {}
    }

    /// The store contains what was acknowledged, and the deletions that were not purged.
    private func compare(_ person: Person, _ model: ModelDatabase, purgedBefore time: Milliseconds) throws {
        let zones = try person.zones()
        try expect(
            Dictionary(uniqueKeysWithValues: zones.map { ($0.name.text, $0.number) }) == model.live,
            "stored zones: \(zones), expected: \(model.live)")
        for row in zones {
            guard let zone = model.zones[row.number] else { throw Fault("there should be no zone \(row)") }
            try expect(row.changedSequence == zone.changed, "the last change of \(row) should be \(zone.changed)")
            var records: [String: Item] = [:]
            var tombstones: [String: Item] = [:]
            for change in try person.stored(row) {
                switch change {
                case .record(let row): records[row.name.text] = Item(row)
                case .tombstone(let row):
                    tombstones[row.name.text] = Item(row)
                    try expect(row.deletedAt >= time, "\(row) should have been purged")
                case .departure(let row): throw Fault("\(row) should not be in the feed of a zone")
                }
            }
            try expect(records == zone.records, "\(row.name) holds \(records), expected \(zone.records)")
            let kept = zone.tombstones.filter { $0.value.sequence > row.purgedSequence }
            try expect(tombstones == kept, "\(row.name) remembers \(tombstones), expected \(kept)")
        }
    }
}
