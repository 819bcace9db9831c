import CloudKit
import Foundation

/// What a device knows: notes, which of them are still to be sent, and how far it has followed the server.
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

    /// The record that says what is here, with the tag of the one that was fetched.
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

    /// The server has this record now.
    func keep(_ record: CKRecord, isSent: Bool) {
        let name = record.recordID.recordName
        let coder = NSKeyedArchiver(requiringSecureCoding: true)
        record.encodeSystemFields(with: coder)
        coder.finishEncoding()
        file.records[name] = coder.encodedData
        if isSent { file.pending.remove(name) }
        // What is still to be sent is not overwritten: sending it finds the conflict.
        if !file.pending.contains(name) { file.texts[name] = record["text"] }
    }

    func remove(_ name: String) {
        file.texts[name] = nil
        file.records[name] = nil
        file.pending.remove(name)
    }

    /// Nothing of what the server said is good any more: everything that is here is to be sent again.
    func sendAgain() {
        file.zoneToken = nil
        file.records = [:]
        file.pending = Set(file.texts.keys)
    }

    /// Nothing of what the server said is good any more: only what is still to be sent stays.
    func fetchAgain() {
        file.zoneToken = nil
        file.records = [:]
        file.texts = file.texts.filter { file.pending.contains($0.key) }
    }

    /// The zone is gone, and with it what came from it.
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
