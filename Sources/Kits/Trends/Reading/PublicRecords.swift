import CloudKit
import Foundation

/// The records that are counted: those of a container's public database.
struct PublicRecords: Sendable {
    let database: CKDatabase
    let configuration: CKOperation.Configuration
    /// Maximum number of records per page; 0 for the service's default.
    let pageSize: Int

    /// All records of a type that were created at a time or later, the oldest first.
    ///
    /// - Parameter keys: The fields to fetch.
    func created(_ type: CKRecord.RecordType, since date: Date?, keys: [CKRecord.FieldKey]) -> RecordPages {
        // One second earlier: however a service rounds times in comparisons, no record is missed.
        let since = date?.addingTimeInterval(-1) ?? Date(timeIntervalSince1970: 0)
        // A query for all records would need an index of names in addition to that of times.
        let predicate = NSPredicate(format: "creationDate >= %@", since as NSDate)
        return RecordPages(
            database: database, configuration: configuration, query: Self.query(type, predicate, ascending: true),
            keys: keys, pageSize: pageSize)
    }

    /// The most recently created record of a type; nil if there is none.
    func newest(_ type: CKRecord.RecordType, keys: [CKRecord.FieldKey]) async throws -> CKRecord? {
        let predicate = NSPredicate(format: "creationDate >= %@", Date(timeIntervalSince1970: 0) as NSDate)
        let pages = RecordPages(
            database: database, configuration: configuration, query: Self.query(type, predicate, ascending: false),
            keys: keys, pageSize: 1)
        return try await pages.first()
    }

    /// A record of the default zone; nil if there is none of this name.
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
    /// The number of pages in a row without a new record.
    private var idlePages = 0

    /// The most such pages: a query with more does not end.
    private static let idlePagesMax = 100

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
        // If a record appears before the position at which a page ended, the end of that page may be returned once more.
        let records = try page.matchResults.filter { !last.contains($0.0) }.map { try $0.1.get() }
        last = Set(page.matchResults.map { $0.0 })
        idlePages = records.isEmpty ? idlePages + 1 : 0
        guard idlePages < Self.idlePagesMax else { throw CKError(.limitExceeded) }
        return records
    }

    /// The first record; nil if there is none.
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
