import CloudKit
import Foundation

/// The records in the zone of counts: one for each tracker, and one for each of its years.
///
/// A tracker's record is saved with every change of its years, so a device that has read an older one cannot save.
struct KeptCounts: Sendable {
    static let trackerType: CKRecord.RecordType = "CKTrendsTracker"
    static let yearType: CKRecord.RecordType = "CKTrendsYear"

    let zoneID: CKRecordZone.ID
    /// By name.
    private(set) var records: [String: CKRecord] = [:]
    /// Names of the records of years, by the names of their trackers' records.
    private(set) var years: [String: Set<String>] = [:]

    init(_ zoneID: CKRecordZone.ID, _ records: [CKRecord] = []) {
        self.zoneID = zoneID
        add(records)
    }

    /// Adds records that were fetched or saved.
    mutating func add(_ saved: [CKRecord]) {
        for record in saved {
            let name = record.recordID.recordName
            records[name] = record
            if record.recordType == Self.yearType { years[Self.tracker(ofYear: name), default: []].insert(name) }
        }
    }

    mutating func remove(_ names: [String]) {
        for name in names {
            records[name] = nil
            years[Self.tracker(ofYear: name)]?.remove(name)
        }
    }

    /// The time zone in use; nil if nothing is stored.
    var timeZone: String? {
        records.values.filter { $0.recordType == Self.trackerType }
            .min { $0.recordID.recordName < $1.recordID.recordName }?["timeZone"] as? String
    }

    /// The counts that are accepted from a stored record. Sums and differences of a few of these do not overflow, and JSON keeps them
    /// exact.
    private static let countMax: Int64 = 1 << 53

    private static func isCount(_ count: Int) -> Bool { count >= 0 && Int64(count) <= countMax }

    /// - Returns: nil if nothing is stored. Values that this kit does not write count as absent.
    func state(of tracker: TrendsTracker) -> TrackerState? {
        guard let record = records[tracker.recordName], record.recordType == Self.trackerType else { return nil }
        var state = TrackerState(tracker, zone: record["timeZone"] as? String ?? "")
        state.lastCheck = record["lastCheck"] as? Date
        state.settled = record["settled"] as? Date
        state.open = Self.days(record, "openDays", "openCounts")
        state.total = (record["total"] as? Int).flatMap { Self.isCount($0) ? $0 : nil }
        state.delta = (record["delta"] as? Int).flatMap { $0 > .min && Self.isCount(abs($0)) ? $0 : nil }
        state.choice = record["choice"] as? String
        state.saved = record.modificationDate
        for name in years[tracker.recordName] ?? [] {
            guard let year = records[name] else { continue }
            state.days.merge(Self.days(year, "days", "counts")) { _, new in new }
        }
        return state
    }

    static func days(_ record: CKRecord, _ names: String, _ counts: String) -> [String: Int] {
        let (names, counts) = (record[names] as? [String] ?? [], record[counts] as? [Int] ?? [])
        return Dictionary(zip(names, counts).filter { isCount($0.1) }) { first, _ in first }
    }

    private static func tracker(ofYear name: String) -> String {
        name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
    }
}
