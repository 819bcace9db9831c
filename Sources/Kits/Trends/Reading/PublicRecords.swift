import CloudKit
import Foundation

/// The records that are counted: those of a container's public database.
struct PublicRecords: Sendable {
    let database: CKDatabase
    let configuration: CKOperation.Configuration
    /// Records of a page at most; 0 leaves it to the service.
    let pageSize: Int

    /// All records of a type that were created at a time or later, the oldest first.
    ///
    /// - Parameter keys: Which fields they come with.
    func created(_ type: CKRecord.RecordType, since date: Date?, keys: [CKRecord.FieldKey]) -> RecordPages {
        // A second more: however a service rounds times to compare them, none is left out.
        let since = date?.addingTimeInterval(-1) ?? Date(timeIntervalSince1970: 0)
        // Not all records, which would need an index of names besides that of times.
        let predicate = NSPredicate(format: "creationDate >= %@", since as NSDate)
        return RecordPages(
            database: database, configuration: configuration, query: Self.query(type, predicate, ascending: true),
            keys: keys, pageSize: pageSize)
    }

    /// The record of a type that was created last; nil where there is none.
    func newest(_ type: CKRecord.RecordType, keys: [CKRecord.FieldKey]) async throws -> CKRecord? {
        let predicate = NSPredicate(format: "creationDate >= %@", Date(timeIntervalSince1970: 0) as NSDate)
        let pages = RecordPages(
            database: database, configuration: configuration, query: Self.query(type, predicate, ascending: false),
            keys: keys, pageSize: 1)
        return try await pages.first()
    }

    /// A record of the default zone; nil where there is none of this name.
    func named(_ name: String, keys: [CKRecord.FieldKey]) async throws -> CKRecord? {
        let id = CKRecord.ID(recordName: name)
        let results = try await database.configuredWith(configuration: configuration) { database in
            try await database.records(for: [id], desiredKeys: keys)
        }
        do {
            return try results[id]?.get()
        } catch CKError.unknownItem {
            return nil
        }
    }

    private static func query(_ type: CKRecord.RecordType, _ predicate: NSPredicate, ascending: Bool) -> CKQuery {
        let query = CKQuery(recordType: type, predicate: predicate)
        query.sortDescriptors = [NSSortDescriptor(key: "creationDate", ascending: ascending)]
        return query
    }
}

/// The records that a query finds, page by page until its end.
struct RecordPages {
    let database: CKDatabase
    let configuration: CKOperation.Configuration
    let query: CKQuery
    let keys: [CKRecord.FieldKey]
    let pageSize: Int
    private var cursor: CKQueryOperation.Cursor?
    private var hasBegun = false
    private var last: Set<CKRecord.ID> = []

    init(
        database: CKDatabase, configuration: CKOperation.Configuration, query: CKQuery, keys: [CKRecord.FieldKey],
        pageSize: Int
    ) {
        (self.database, self.configuration, self.query) = (database, configuration, query)
        (self.keys, self.pageSize) = (keys, pageSize)
    }

    /// The next page; nil at the end. - Throws: CloudKit's errors, also of a single record: a count without it would be wrong.
    mutating func next() async throws -> [CKRecord]? {
        if hasBegun, cursor == nil { return nil }
        let page = try await page()
        (hasBegun, cursor) = (true, page.queryCursor)
        // Where a record came to be seen before the place at which a page ended, that page's end may come once more.
        let records = try page.matchResults.filter { !last.contains($0.0) }.map { try $0.1.get() }
        last = Set(page.matchResults.map { $0.0 })
        return records
    }

    /// The first record; nil where there is none.
    func first() async throws -> CKRecord? { try await page().matchResults.first?.1.get() }

    private func page() async throws -> (
        matchResults: [(CKRecord.ID, Result<CKRecord, any Error>)], queryCursor: CKQueryOperation.Cursor?
    ) {
        let (query, cursor, keys, limit) = (query, cursor, keys, pageSize)
        return try await database.configuredWith(configuration: configuration) { database in
            guard let cursor else {
                return try await database.records(matching: query, desiredKeys: keys, resultsLimit: limit)
            }
            return try await database.records(continuingMatchFrom: cursor, desiredKeys: keys, resultsLimit: limit)
        }
    }
}
