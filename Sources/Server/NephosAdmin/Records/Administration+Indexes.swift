import CloudKitSchema
import CloudKitWire
import NephosDomain
package import NephosRunner
package import NephosStorage

/// An index of the public database, for people.
package struct IndexReport: Sendable, Equatable {
    package var type: String
    /// Its parts: `title`, `publishedAt:desc`.
    package var parts: [String]
    package var state: IndexRow.State
    package var usedAt: Milliseconds
}

extension Administration {
    /// The number of records, or index entries, per transaction of index work.
    static let indexChunk = 500

    /// The indexes of the public database, by type. People's databases have their own, built as their queries need them.
    package func indexes(of tenant: Tenant) throws(AdminError) -> [IndexReport] {
        let (rows, catalog) = try publicIndexes(try store(tenant))
        return rows.filter { $0.state != .dropped }.map { row in
            IndexReport(
                type: catalog.name(of: row.shape.type), parts: row.shape.parts.map(\.spelling), state: row.state,
                usedAt: row.usedAt)
        }.sorted { ($0.type, $0.parts.joined(separator: " ")) < ($1.type, $1.parts.joined(separator: " ")) }
    }

    /// Builds an index of the public database before a query needs it, and waits until it is complete.
    ///
    /// - Parameters:
    ///   - parts: In the notation of ``IndexReport/parts``: fields that queries compare with a value, then those they sort by,
    ///     with `:asc` or `:desc`.
    ///   - progress: Called with the number of indexed records, and the total.
    package func buildIndex(
        type: String, parts: [String], in tenant: Tenant, progress: (Int64, Int64) -> Void = { _, _ in }
    ) async throws(AdminError) {
        let store = try store(tenant)
        let shape = try shape(type, parts, store, isNew: true)
        do {
            try noteWork(in: store)
            try await store.openIndexes([shape], in: 1, at: inputs.now())
            try await build(in: 1, store, progress)
        } catch {
            throw AdminError(error)
        }
    }

    /// Drops an index of the public database; a query that needs it builds it again.
    package func dropIndex(type: String, parts: [String], in tenant: Tenant) async throws(AdminError) {
        let store = try store(tenant)
        let shape = try shape(type, parts, store)
        let rows = try publicIndexes(store).rows.filter { $0.shape == shape && $0.state != .dropped }
        guard !rows.isEmpty else {
            throw .noIndex(Name(type), parts, tenant)
        }
        do {
            try noteWork(in: store)
            try await store.dropIndexes(rows.map(\.number), in: 1)
            try await build(in: 1, store) { _, _ in }
        } catch {
            throw AdminError(error)
        }
    }

    /// Drops all indexes of an environment and builds them again, including those of people's databases.
    ///
    /// - Returns: The number of indexes.
    package func rebuildIndexes(
        of tenant: Tenant, progress: (Int64, Int64) -> Void = { _, _ in }
    ) async throws(AdminError) -> Int {
        let store = try store(tenant)
        let last = try read(store).catalog.head.lastDatabase
        var count = 0
        for database in 1...last {
            var set = ReadSet()
            set.ask(IndexRow.all(of: database))
            let rows = try read(store, set).indexes(of: database).filter { $0.state != .dropped }
            guard !rows.isEmpty else { continue }
            do {
                try noteWork(in: store)
                try await store.dropIndexes(rows.map(\.number), in: database)
                try await store.openIndexes(rows.map(\.shape), in: database, at: inputs.now())
                try await build(in: database, store) { _, _ in }
            } catch {
                throw AdminError(error)
            }
            count += rows.count
            progress(database, last)
        }
        return count
    }

    private func build(
        in database: DatabaseNumber, _ store: any TenantStore, _ progress: (Int64, Int64) -> Void
    ) async throws {
        while try await store.buildIndexes(in: database, rows: Self.indexChunk) {
            var set = ReadSet()
            set.databases = [database]
            set.ask(IndexRow.all(of: database))
            let reading = try store.read(set)
            let building = reading.indexes(of: database).filter { $0.state == .building }
            guard let least = building.map(\.builtTo).min(), let head = reading.databases.first ?? nil else { continue }
            progress(min(least, head.recordNumber), head.recordNumber)
        }
    }

    private func publicIndexes(
        _ store: any TenantStore
    ) throws(AdminError) -> (rows: [IndexRow], catalog: Catalog) {
        var set = ReadSet()
        set.ask(IndexRow.all(of: 1))
        let reading = try read(store, set)
        return (reading.indexes(of: 1), reading.catalog)
    }

    /// - Parameter isNew: Whether queries must be able to use it.
    private func shape(
        _ type: String, _ parts: [String], _ store: any TenantStore, isNew: Bool = false
    ) throws(AdminError) -> IndexShape {
        let catalog = try read(store).catalog
        guard let known = catalog.types[Name(type)] else { throw .noType(Name(type), store.tenant) }
        var shape = IndexShape(type: known.row.number, parts: [])
        for text in parts {
            let part = try IndexShape.Part(spelled: text, of: known)
            if isNew { try part.check(text, of: known) }
            if case .order = shape.parts.last {
                guard case .order = part else {
                    throw .refused("Fields to sort by must come last: \(text) follows one.")
                }
            }
            shape.parts.append(part)
        }
        let manifold = shape.parts.count { part in
            if case .member = part { return true }
            if case .token = part { return true }
            return false
        }
        guard manifold <= 1 else { throw .refused("An index can have at most one list or text among its parts.") }
        return shape
    }
}

extension IndexShape.Part {
    /// - Parameter text: A field, optionally followed by `:asc`, `:desc` (to sort by) or `:words` (to search in).
    init(spelled text: String, of type: RecordType) throws(AdminError) {
        let pieces = text.split(separator: ":", maxSplits: 1).map(String.init)
        let field = try RecordField(named: pieces[0], of: type)
        switch pieces.count > 1 ? pieces[1].lowercased() : "" {
        case "asc": self = .order(field, isDescending: false)
        case "desc": self = .order(field, isDescending: true)
        case "words": self = .token([field])
        case "": self = Self.fixed(field)
        default: throw .refused("\(text) is not valid: a field can only be followed by :asc, :desc or :words.")
        }
    }

    /// - Parameter text: The part as spelled.
    /// - Throws: For a part that no query can use, by the type of its field.
    fileprivate func check(_ text: String, of type: RecordType) throws(AdminError) {
        let (field, option, use): (RecordField?, Schema.Options, String) =
            switch self {
            case .token(let fields): (fields.first, .searchable, "be searched for words")
            case .order(let field, _): (field, .sortable, "be sorted by")
            case .value(let field), .member(let field), .cell(let field):
                (field, .queryable, "be compared with a value")
            }
        guard case .field(let name, let kind, _)? = field, let row = type.fields[name],
            let known = Schema.DataType(kind, isEncrypted: row.isEncrypted), !known.allowedOptions.contains(option)
        else { return }
        throw .refused("\(text) cannot be part of an index: a field of type \(known.words) cannot \(use).")
    }

    /// A part that queries compare with a value.
    private static func fixed(_ field: RecordField) -> IndexShape.Part {
        guard case .field(_, let kind, _) = field else { return .value(field) }
        if kind.isList { return .member(field) }
        return kind == .location ? .cell(field) : .value(field)
    }

    /// The notation that ``init(spelled:of:)`` reads.
    var spelling: String {
        switch self {
        case .value(let field), .member(let field), .cell(let field): field.spelling
        case .token(let fields): fields.map(\.spelling).joined(separator: "+") + ":words"
        case .order(let field, let isDescending): field.spelling + (isDescending ? ":desc" : ":asc")
        }
    }
}

extension RecordField {
    fileprivate init(named name: String, of type: RecordType) throws(AdminError) {
        if let row = type.fields[Name(name)], Name(name).bytes.first != UInt8(ascii: "_") {
            self = .field(row.name, row.kind, epoch: row.epoch)
            return
        }
        if name == Self.parentInShare.spelling {
            self = .parentInShare
            return
        }
        switch SystemField(spelling: Name(name)) {
        case .recordName: self = .recordName
        case .createdTimestamp: self = .createdAt
        case .createdUserRecordName: self = .createdBy
        case .modifiedTimestamp: self = .modifiedAt
        case .modifiedUserRecordName: self = .modifiedBy
        case .parent: self = .parent
        case .share: self = .share
        case .recordChangeTag, nil:
            throw .refused("Record type \(type.row.name) has no field \(name).")
        }
    }

    fileprivate var spelling: String {
        switch self {
        case .field(let name, _, _): name.text
        case .recordName: "___recordID"
        case .createdAt: "___createTime"
        case .createdBy: "___createdBy"
        case .modifiedAt: "___modTime"
        case .modifiedBy: "___modifiedBy"
        case .parent: "___parent"
        case .share: "___share"
        case .parentInShare: "___parentInShare"
        }
    }
}

extension Catalog {
    func name(of type: TypeNumber) -> String { self.type(type)?.row.name.text ?? "(removed)" }
}
