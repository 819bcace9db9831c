import Audience
import CloudKitWire
import NephosRunner
import NephosStorage

/// A flag for operators: its record, and the flag read from it.
struct StoredFlag: Sendable {
    let record: RecordRow
    /// A failure if the record is not a valid flag.
    let flag: Result<Flag, FlagFailure>

    init(_ record: RecordRow) {
        self.record = record
        flag = Result { () throws(FlagFailure) in try Flag(record) }
    }

    var id: String { record.name.text }
    var displayName: String? { text("displayName") }
    var owner: String? { text("owner") }
    var note: String? { text("note") }
    /// From when it should no longer be needed.
    var expires: Milliseconds? { value("expires")?.integer }
    /// It is meant to stay, even if it never changes.
    var isPermanent: Bool { value("permanent")?.integer == 1 }

    func isExpired(at now: Milliseconds) -> Bool { expires.map { $0 <= now } ?? false }

    /// Returns the flag. - Throws: If the record is not a valid flag.
    func read() throws(Failure) -> Flag {
        do throws(FlagFailure) { return try flag.get() } catch { throw Failure("\(id) is not a valid flag: \(error)") }
    }

    func text(_ field: Name) -> String? { value(field)?.bytes.map { String(decoding: $0, as: UTF8.self) } }

    private func value(_ field: Name) -> StoredValue? {
        var found: StoredValue?
        CanonicalFields.read([field], in: record.fields) { _, value in found = value }
        return found
    }

    /// `on`, `off`, or `broken` for a record that is not a valid flag.
    func state(at now: Milliseconds) -> String {
        switch flag {
        case .success(let flag): flag.isOn(at: now) ? "on" : "off"
        case .failure: "broken"
        }
    }
}

extension TenantStore {
    /// All records of the flag type, ordered by ID. May block.
    func flags(of type: TypeNumber) throws(StorageError) -> [StoredFlag] {
        var (walk, flags): (TypeWalk, [StoredFlag]) = (TypeWalk(type), [])
        while let page = try walk.next(self) { flags += page.records.map(StoredFlag.init) }
        return flags
    }
}
