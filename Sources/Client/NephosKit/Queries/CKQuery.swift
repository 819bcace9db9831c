import CloudKitWire
public import Foundation
import NephosTransport

/// A search for the records of a type that match a predicate, with their order. Queries are compared by value.
public class CKQuery: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    /// The type of the records. If it does not exist, the query fails with `unknownItem`, or with `invalidArguments`
    /// from Apple's service.
    public let recordType: CKRecord.RecordType
    /// The predicate as it was passed. It is never copied, because no object matches Foundation's copy of an
    /// `NSCompoundPredicate`.
    public let predicate: NSPredicate

    private let descriptors = Locked<[NSSortDescriptor]?>(nil)

    /// The order of the records, with the most important descriptor first. If it is nil, the order is unspecified.
    public var sortDescriptors: [NSSortDescriptor]? {
        get { descriptors.value }
        set { descriptors.value = newValue }
    }

    /// Creates a query. If CloudKit does not support the predicate, the query fails with `invalidArguments` when it is
    /// sent.
    public init(recordType: CKRecord.RecordType, predicate: NSPredicate) {
        self.recordType = recordType
        self.predicate = predicate
    }

    // MARK: Equality, copies and archives

    /// Whether types, predicates and orders are equal. Predicates are equal if CloudKit evaluates them alike, however they
    /// are spelled; one that CloudKit does not support is equal to itself only.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? CKQuery else { return false }
        return recordType.hasSameBytes(as: other.recordType) && predicate.isSame(as: other.predicate)
            && NSSortDescriptor.areSame(sortDescriptors, other.sortDescriptors)
    }

    public override var hash: Int {
        var hasher = Hasher()
        hasher.combine(recordType)
        hasher.combine(predicate.tree)
        return hasher.finalize()
    }

    public func copy(with zone: NSZone? = nil) -> Any {
        let query = CKQuery(recordType: recordType, predicate: predicate)
        query.sortDescriptors = sortDescriptors
        return query
    }

    public static var supportsSecureCoding: Bool { true }

    /// Writes the predicate and the sort descriptors as text, because Foundation's objects cannot be archived.
    public func encode(with coder: NSCoder) {
        coder.encodeContent(forKey: "CKQuery") { writer in
            writer.archive("recordType", recordType)
            writer.archive("predicate", predicate.tree.predicateText)
            writer.archive("sortDescriptors", sortDescriptors?.map(\.sortKey))
        }
    }

    /// Returns nil for an archive that contains no query.
    public required convenience init?(coder: NSCoder) {
        var (type, text, sorts): (CKRecord.RecordType?, String?, [SortKey]?) = (nil, nil, nil)
        let isRead = coder.decodeContent(forKey: "CKQuery") { reader, key throws(WireError) in
            switch key {
            case "recordType": type = try reader.archived()
            case "predicate": text = try reader.archived()
            case "sortDescriptors": sorts = try reader.archived()
            default: break
            }
        }
        guard isRead, let type, let text else { return nil }
        self.init(recordType: type, predicate: NSPredicate(tree: PredicateParser.tree(text)))
        sortDescriptors = sorts?.map(NSSortDescriptor.make)
    }
}

extension CKQuery {
    /// The request that an operation sends for a query.
    enum Request: Sendable, Equatable {
        /// The `query` dictionary of a request, as JSON.
        case query([UInt8])
        /// No record can match, so the result is empty and no request is sent.
        case nothing
    }

    /// - Parameter now: The date that `now()` stands for.
    /// - Throws: ``UnsupportedPredicate`` for a predicate or an order that a query cannot express.
    func request(now: Date = Date()) throws(UnsupportedPredicate) -> Request {
        let filters = try QueryFilters(predicate.tree, now: now)
        var sorts: [SortKey] = []
        for descriptor in sortDescriptors ?? [] { sorts.append(try descriptor.sortKey.wired()) }
        if filters.matchNothing { return .nothing }
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("recordType")
        writer.string(recordType)
        if !filters.list.isEmpty {
            writer.key("filterBy")
            filters.write(to: &writer)
        }
        if !sorts.isEmpty {
            writer.key("sortBy")
            writer.beginArray()
            for sort in sorts { sort.write(to: &writer) }
            writer.endArray()
        }
        writer.endObject()
        return .query(writer.bytes)
    }
}
