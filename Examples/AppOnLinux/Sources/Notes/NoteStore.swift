import CloudKit

/// The notes of the signed-in person. The same file is compiled for iOS and for Linux.
public struct NoteStore {
    private let database: CKDatabase

    public init(container: CKContainer) { database = container.privateCloudDatabase }

    /// - Throws: `CKError`, as Apple's framework does.
    public func add(_ text: String) async throws -> CKRecord.ID {
        let note = CKRecord(recordType: "Note")
        note["text"] = text
        return try await database.save(note).recordID
    }

    public func remove(_ id: CKRecord.ID) async throws {
        _ = try await database.deleteRecord(withID: id)
    }

    public func texts() async throws -> [String] {
        let query = CKQuery(recordType: "Note", predicate: NSPredicate(value: true))
        let (matches, _) = try await database.records(matching: query)
        return try matches.compactMap { _, result in try result.get()["text"] as? String }
    }
}
