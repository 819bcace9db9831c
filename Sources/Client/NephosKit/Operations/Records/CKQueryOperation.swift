import Foundation
import NephosTransport

/// Fetches one page of the records that match a query. The cursor of the result continues where the page ended.
open class CKQueryOperation: CKDatabaseOperation, @unchecked Sendable {
    /// The position at which a page ended, from which the query continues.
    public typealias Cursor = CKQueryCursor

    /// The value of ``resultsLimit`` that lets the server choose the number of records per page.
    public class var maximumResults: Int { 0 }

    private let stored = Locked<CKQuery?>(nil)

    /// The query. The operation stores a copy of it.
    public var query: CKQuery? {
        get { stored.value }
        set { stored.value = newValue.map { ($0.copy() as? CKQuery) ?? $0 } }
    }
    /// The position to continue from. It takes precedence over ``query``, and contains its own query and zone.
    public var cursor: Cursor?
    /// The zone to query; nil for all zones of the database. Required in the shared database. A cursor has its own
    /// zone.
    public var zoneID: CKRecordZone.ID?
    /// The maximum number of records; never more than 200 are requested.
    public var resultsLimit = CKQueryOperation.maximumResults
    /// The fields to fetch; nil for all, an empty array for only those that the service maintains.
    public var desiredKeys: [CKRecord.FieldKey]?

    /// Called for each record, in the order of the query, with the record or with a ``CKError``.
    public var recordMatchedBlock: ((_ recordID: CKRecord.ID, _ recordResult: Result<CKRecord, any Error>) -> Void)?
    /// Called once at the end, with a cursor if there are more records, or with a ``CKError``.
    public var queryResultBlock: ((_ operationResult: Result<CKQueryOperation.Cursor?, any Error>) -> Void)?
    /// The older form of ``recordMatchedBlock``: called for each record that was fetched.
    @available(*, deprecated, message: "Use recordMatchedBlock.")
    public var recordFetchedBlock: ((CKRecord) -> Void)? {
        get { oldFetched }
        set { oldFetched = newValue }
    }
    /// The older form of ``queryResultBlock``, with `partialFailure` if some records could not be fetched.
    @available(*, deprecated, message: "Use queryResultBlock.")
    public var queryCompletionBlock: ((CKQueryOperation.Cursor?, (any Error)?) -> Void)? {
        get { oldCompletion }
        set { oldCompletion = newValue }
    }
    private var oldFetched: ((CKRecord) -> Void)?
    private var oldCompletion: ((CKQueryOperation.Cursor?, (any Error)?) -> Void)?

    private(set) var results: [(CKRecord.ID, Result<CKRecord, any Error>)] = []
    private(set) var next: Cursor?

    /// Creates an operation; set ``query`` or ``cursor``, or it fails with `invalidArguments`.
    public init() { super.init(()) }

    /// Creates an operation that fetches the first page of a query.
    public convenience init(query: CKQuery) {
        self.init()
        self.query = query
    }

    /// Creates an operation that fetches the page after a cursor.
    public convenience init(cursor: CKQueryOperation.Cursor) {
        self.init()
        self.cursor = cursor
    }

    override func perform(_ terms: Service.Terms) async throws(CKError) {
        let target = target
        guard let asked = try asked() else { return }
        guard asked.zone != nil || target.databaseScope != .shared else {
            throw CKError(.invalidArguments, "a query in the shared database needs a zone: set zoneID")
        }
        let call = RecordsQuery(
            scope: target.databaseScope, query: asked.query, zone: asked.zone, marker: asked.marker,
            limit: RequestLimits.page(resultsLimit), desiredKeys: desiredKeys)
        let page = try await target.core.service.answer(call, terms)
        let results = try await target.core.records(of: page.items, terms)
        if let marker = page.marker {
            var empty = cursor?.empty ?? EmptyPages()
            // A page of nothing but deleted records brings nothing either.
            try empty.follow(isEmpty: results.isEmpty)
            next = Cursor(query: asked.query, zone: asked.zone, marker: marker, empty: empty)
        }
        await report(results)
    }

    private func report(_ results: [(CKRecord.ID, Result<CKRecord, any Error>)]) async {
        await call {
            self.results = results
            for (id, result) in results {
                self.recordMatchedBlock?(id, result)
                if case .success(let record) = result { self.oldFetched?(record) }
            }
        }
    }

    /// The request to send; nil if no record can match the query.
    private func asked() throws(CKError) -> (query: [UInt8], zone: CKRecordZone.ID?, marker: String?)? {
        if let cursor { return (cursor.query, cursor.zone, cursor.marker) }
        guard let query else { throw CKError(.invalidArguments, "nothing to query: set query or cursor") }
        do throws(UnsupportedPredicate) {
            guard case .query(let json) = try query.request() else { return nil }
            return (json, zoneID, nil)
        } catch {
            throw CKError(.invalidArguments, error.reason)
        }
    }

    override func conclude(_ error: CKError?) {
        queryResultBlock?(error.map { .failure($0) } ?? .success(next))
        guard let oldCompletion else { return }
        let failures = results.map { (key: $0.0, value: $0.1) }.failures()
        oldCompletion(next, error ?? CKError.partial(failures, "Failed to fetch some records"))
    }
}

extension ContainerCore {
    /// The records of a page, with their files.
    func records(
        of items: [RecordReader.Item], _ terms: Service.Terms
    ) async throws(CKError) -> [(CKRecord.ID, Result<CKRecord, any Error>)] {
        var results: [(CKRecord.ID, Result<CKRecord, any Error>)] = []
        for item in items {
            switch item {
            case .record(let record): results.append((record.recordID, .success(record)))
            case .failed(let id, let error):
                results.append((id ?? CKRecord.ID(recordName: ""), .failure(error.ckError)))
            case .deleted: continue
            }
        }
        let failures = try await AssetDownload(core: self).run(results.compactMap { try? $0.1.get() }, terms)
        return results.map { id, result in (id, failures[id].map { .failure($0) } ?? result) }
    }
}
