import CloudKit
import Foundation

/// A device's state: notes, which of them are pending, and its change tokens.
final class Notes {
    static let zone = CKRecordZone.ID(zoneName: "Notes")

    private struct File: Codable {
        var texts: [String: String] = [:]
        /// System fields of records, as `encodeSystemFields(with:)` writes them.
        var records: [String: Data] = [:]
        var pending: Set<String> = []
        var databaseToken: Data?
        var zoneToken: Data?
    }

    private let url: URL
    private var file = File()

    init(folder: URL) throws {
        url = folder.appendingPathComponent("notes.json")
        if let data = FileManager.default.contents(atPath: url.path) {
            file = try JSONDecoder().decode(File.self, from: data)
        }
    }

    func save() throws { try JSONEncoder().encode(file).write(to: url, options: .atomic) }

    var texts: [String: String] { file.texts }
    var pending: [String] { file.pending.sorted() }

    func edit(_ name: String, _ text: String) {
        file.texts[name] = text
        file.pending.insert(name)
    }

    /// The record for a note's current text, with the tag of the fetched record.
    func record(_ name: String) throws -> CKRecord {
        var record: CKRecord?
        if let data = file.records[name] {
            let coder = try NSKeyedUnarchiver(forReadingFrom: data)
            coder.requiresSecureCoding = true
            record = CKRecord(coder: coder)
        }
        let found = record ?? CKRecord(recordType: "Note", recordID: CKRecord.ID(recordName: name, zoneID: Self.zone))
        found["text"] = file.texts[name]
        return found
    }

    /// Stores a record's state on the server.
    func keep(_ record: CKRecord, isSent: Bool) {
        let name = record.recordID.recordName
        let coder = NSKeyedArchiver(requiringSecureCoding: true)
        record.encodeSystemFields(with: coder)
        coder.finishEncoding()
        file.records[name] = coder.encodedData
        if isSent { file.pending.remove(name) }
        // A pending text is not overwritten: sending it detects the conflict.
        if !file.pending.contains(name) { file.texts[name] = record["text"] }
    }

    func remove(_ name: String) {
        file.texts[name] = nil
        file.records[name] = nil
        file.pending.remove(name)
    }

    /// The server's state is no longer valid: all notes become pending again.
    func sendAgain() {
        file.zoneToken = nil
        file.records = [:]
        file.pending = Set(file.texts.keys)
    }

    /// The server's state is no longer valid: only pending notes are kept.
    func fetchAgain() {
        file.zoneToken = nil
        file.records = [:]
        file.texts = file.texts.filter { file.pending.contains($0.key) }
    }

    /// The zone was deleted, and with it everything fetched from it.
    func clear() { file = File(databaseToken: file.databaseToken) }

    var databaseToken: CKServerChangeToken? {
        get { token(file.databaseToken) }
        set { file.databaseToken = data(newValue) }
    }
    var zoneToken: CKServerChangeToken? {
        get { token(file.zoneToken) }
        set { file.zoneToken = data(newValue) }
    }

    private func token(_ data: Data?) -> CKServerChangeToken? {
        data.flatMap { try? NSKeyedUnarchiver.unarchivedObject(ofClass: CKServerChangeToken.self, from: $0) }
    }

    private func data(_ token: CKServerChangeToken?) -> Data? {
        token.flatMap { try? NSKeyedArchiver.archivedData(withRootObject: $0, requiringSecureCoding: true) }
    }
}
