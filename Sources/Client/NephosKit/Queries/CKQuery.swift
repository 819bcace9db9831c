import CloudKitWire
public import Foundation
import NephosTransport

/// A search for the records of a type that match a predicate, with their order.
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

    // MARK: Copies and archives

    public func copy(with zone: NSZone? = nil) -> Any {
        let query = CKQuery(recordType: recordType, predicate: predicate)
        query.sortDescriptors = sortDescriptors
        return query
    }

    public static var supportsSecureCoding: Bool { true }

    /// Writes the predicate and the sort descriptors as text, because Foundation's objects cannot be archived.
    public func encode(with coder: NSCoder) {
        coder.encode(recordType as NSString, forKey: "recordType")
        coder.encode(predicate.tree.predicateText as NSString, forKey: "predicate")
        guard let sortDescriptors else { return }
        var writer = JSONWriter()
        writer.beginArray()
        for descriptor in sortDescriptors { descriptor.sortKey.write(to: &writer) }
        writer.endArray()
        coder.encode(String(decoding: writer.bytes, as: UTF8.self) as NSString, forKey: "sortDescriptors")
    }

    public required convenience init?(coder: NSCoder) {
        guard let recordType = coder.decodeString(forKey: "recordType"),
            let text = coder.decodeString(forKey: "predicate")
        else { return nil }
        self.init(recordType: recordType, predicate: NSPredicate(tree: PredicateParser.tree(text)))
        guard let sorts = coder.decodeString(forKey: "sortDescriptors") else { return }
        guard let descriptors = Self.descriptors(sorts) else { return nil }
        sortDescriptors = descriptors
    }

    private static func descriptors(_ json: String) -> [NSSortDescriptor]? {
        var sorts: [SortKey] = []
        do throws(WireError) {
            var reader = try JSONReader(Array(json.utf8)[...])
            try reader.readArray { reader, _ throws(WireError) in sorts.append(try SortKey(&reader)) }
        } catch {
            return nil
        }
        return sorts.map(NSSortDescriptor.make)
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
