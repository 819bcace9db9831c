import CloudKit

extension KeptCounts {
    /// Records to save, and names of records to delete.
    struct Changes: Sendable {
        var save: [CKRecord] = []
        var delete: [String] = []
        var count: Int { save.count + delete.count }

        mutating func add(_ other: Changes) { (save, delete) = (save + other.save, delete + other.delete) }
    }

    /// The changes that store a tracker's current state.
    func changes(to state: TrackerState) -> Changes {
        let name = state.tracker.recordName
        let tracker = record(name, Self.trackerType)
        Self.fill(tracker, state)
        var (save, left) = ([tracker], years[name] ?? [])
        for (year, days) in Dictionary(grouping: state.days, by: { $0.key.prefix { $0 != "-" } }) {
            let record = record("\(name).\(year)", Self.yearType)
            left.remove(record.recordID.recordName)
            let counts = Dictionary(uniqueKeysWithValues: days.map { ($0.key, $0.value) })
            if Self.days(record, "days", "counts") == counts { continue }
            Self.set(counts, in: record, "days", "counts")
            save.append(record)
        }
        return Changes(save: save, delete: left.sorted())
    }

    /// A copy, so that the fetched record stays unchanged until the copy is saved.
    private func record(_ name: String, _ type: CKRecord.RecordType) -> CKRecord {
        records[name]?.copy() as? CKRecord
            ?? CKRecord(recordType: type, recordID: CKRecord.ID(recordName: name, zoneID: zoneID))
    }

    private static func fill(_ record: CKRecord, _ state: TrackerState) {
        record["recordType"] = state.tracker.recordType
        record["field"] = state.tracker.list?.field
        record["choice"] = state.choice
        record["timeZone"] = state.zone
        record["lastCheck"] = state.lastCheck
        record["settled"] = state.settled
        record["total"] = state.total
        record["delta"] = state.delta
        set(state.open, in: record, "openDays", "openCounts")
    }

    /// Two lists, so that they are readable in a console. Empty ones are omitted: Apple's service creates no field from them.
    private static func set(_ days: [String: Int], in record: CKRecord, _ names: String, _ counts: String) {
        let sorted = days.sorted { $0.key < $1.key }
        record[names] = sorted.isEmpty ? nil : sorted.map(\.key)
        record[counts] = sorted.isEmpty ? nil : sorted.map(\.value)
    }
}
