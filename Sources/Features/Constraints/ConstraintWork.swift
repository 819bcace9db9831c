import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

/// Goes over everything stored in an environment because of constraints, page by page, beside running servers.
struct ConstraintWork: Sendable {
    /// Records that are looked at, and that one transaction claims for.
    private static let pageRows = 200
    private static let claimRows = 500

    private let administration: Administration
    private let store: any TenantStore
    private let progress: @Sendable (String) -> Void

    init(_ move: SectionMove) {
        self.init(move.administration, move.store, progress: move.progress)
    }

    init(
        _ administration: Administration, _ store: any TenantStore,
        progress: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        (self.administration, self.store, self.progress) = (administration, store, progress)
    }

    // MARK: Which

    /// By type, those that nobody has found to be kept yet.
    func new(_ settings: ConstraintSettings?) throws(AdminError) -> [TypeConstraints] {
        guard let settings else { return [] }
        let kept = Set(try administration.rows(KeptConstraintRow.all, of: store).map(\.id))
        return settings.types.sorted { $0.key < $1.key }.compactMap { type, constraints in
            let new = constraints.constraints.filter { !kept.contains($0.id) }
            return new.isEmpty ? nil : TypeConstraints(type, new)
        }
    }

    /// Notes that these are kept, and removes what was claimed because of others.
    func keep(_ constraints: [Constraint]) async throws(AdminError) {
        let ids = Set(constraints.map(\.id))
        let stored = try administration.rows(KeptConstraintRow.all, of: store)
        try await removeClaims(of: stored.map(\.id).filter { !ids.contains($0) })
        let now = administration.inputs.now()
        var set = ReadSet()
        set.ask(KeptConstraintRow.all)
        try await administration.commit(to: store, set) { reading in
            var writes = WriteSet()
            let stored = reading[KeptConstraintRow.all]
            for row in stored where !ids.contains(row.id) { writes.remove(row) }
            for id in ids.sorted() where !stored.contains(where: { $0.id == id }) {
                writes.put(KeptConstraintRow(id: id, since: now))
            }
            return .write(writes, ())
        }
    }

    // MARK: Records

    /// - Parameter body: Called with pages of records of each type.
    func forEachRecord(
        of types: [TypeConstraints],
        _ body: (TypeConstraints, [RecordRow], DatabaseNumber) throws(AdminError) -> Void
    ) throws(AdminError) {
        let catalog = try administration.read(store).catalog
        var count = 0
        for constraints in types {
            guard let type = catalog.types[constraints.type] else { continue }
            for database in 1...catalog.head.lastDatabase {
                try forEachPage(of: type, in: database) { records throws(AdminError) in
                    try body(constraints, records, database)
                    count += records.count
                    progress("constraints: \(count) records")
                }
            }
        }
        progress("")
    }

    private func forEachPage(
        of type: RecordType, in database: DatabaseNumber, _ body: ([RecordRow]) throws(AdminError) -> Void
    ) throws(AdminError) {
        var position: NameScan.Position?
        repeat {
            guard let page = try page(of: type, in: database, after: position) else { return }
            if !page.records.isEmpty { try body(page.records) }
            position = page.next
        } while position != nil
    }

    private func page(
        of type: RecordType, in database: DatabaseNumber, after position: NameScan.Position?
    ) throws(AdminError) -> NamePage? {
        var set = ReadSet()
        set.names = [
            NameScan(
                place: .database(database), type: type.row.number, after: position, limit: Self.pageRows,
                byteLimit: 2 << 20)
        ]
        return try administration.read(store, set).names.first
    }

    // MARK: Judging

    /// What the records of a page break, without anything being written down.
    func judge(
        _ constraints: TypeConstraints, _ records: [RecordRow], in database: DatabaseNumber, _ breaches: inout Breaches
    ) throws(AdminError) {
        try judgeValues(constraints, records, in: database, &breaches)
        let catalog = try administration.read(store).catalog
        guard let type = catalog.types[constraints.type], constraints.hasClaims else { return }
        for record in records {
            let values = constraints.values(in: record.liveFields(of: type))
            for (constraint, claim) in constraints.claims(of: values, type.row, catalog, in: record.zone) {
                breaches.add(claim, of: constraint, constraints.type, record)
            }
        }
    }

    /// What they break each by itself.
    func judgeValues(
        _ constraints: TypeConstraints, _ records: [RecordRow], in database: DatabaseNumber, _ breaches: inout Breaches
    ) throws(AdminError) {
        let catalog = try administration.read(store).catalog
        guard let type = catalog.types[constraints.type] else { return }
        breaches.look(records.count, constraints.type)
        for record in records {
            let values = constraints.values(in: record.liveFields(of: type))
            if let breach = constraints.breach(in: values) { breaches.add(breach.constraint, constraints.type, record) }
            if let breach = constraints.backwards(in: values) {
                breaches.add(breach.constraint, constraints.type, record)
            }
        }
        for constraint in constraints.held {
            try judgeReferences(constraint, constraints, records, type, &breaches)
        }
    }

    private func judgeReferences(
        _ constraint: Constraint, _ constraints: TypeConstraints, _ records: [RecordRow], _ type: RecordType,
        _ breaches: inout Breaches
    ) throws(AdminError) {
        var set = ReadSet()
        var holders: [RecordRow] = []
        for record in records where constraint.concerns(constraints.values(in: record.liveFields(of: type))) {
            for target in record.liveFields(of: type).targets(of: constraint.fields) {
                set.stubs.append(RecordKey(zone: .number(record.database, record.zone), name: target))
                holders.append(record)
            }
        }
        guard !holders.isEmpty else { return }
        let reading = try administration.read(store, set)
        for (record, stub) in zip(holders, reading.stubs) where stub.flatMap({ reading.catalog.type($0.type) }) == nil {
            breaches.add(constraint, constraints.type, record)
        }
    }

    // MARK: Claims

    /// Writes down what the records of a type claim.
    func establish(
        _ constraints: TypeConstraints, _ catalog: Catalog, _ breaches: inout Breaches
    ) async throws(AdminError) {
        guard let type = catalog.types[constraints.type] else { return }
        for database in 1...catalog.head.lastDatabase {
            var position: NameScan.Position?
            repeat {
                guard let page = try page(of: type, in: database, after: position) else { break }
                if !page.records.isEmpty {
                    let step = EstablishClaims(constraints, page.records, in: database)
                    for (constraint, record) in try await administration.commit(to: store, step.reading, step.decide) {
                        breaches.add(constraint, constraints.type, record)
                    }
                }
                position = page.next
            } while position != nil
        }
    }

    /// Removes all that is claimed because of some constraints.
    func removeClaims(of constraints: [Int64]) async throws(AdminError) {
        guard !constraints.isEmpty else { return }
        let last = try administration.read(store).catalog.head.lastDatabase
        for constraint in constraints {
            for database in 1...last {
                let scan = ClaimRow.all(of: constraint, in: database, after: nil, limit: Self.claimRows)
                while try !administration.rows(scan, of: store).isEmpty {
                    var set = ReadSet()
                    set.databases = [database]
                    set.ask(scan)
                    try await administration.commit(to: store, set) { reading in
                        var writes = WriteSet()
                        for row in reading[scan] { writes.remove(row) }
                        return .write(writes, ())
                    }
                }
            }
        }
    }
}

extension Bytes {
    /// The records that references in some fields name.
    func targets(of fields: [Name]) -> [Name] {
        var targets: [Name] = []
        CanonicalFields.read(fields.sorted(), in: self) { _, value in
            if value.type == .reference {
                if let name = value.bytes { targets.append(Name(bytes: name)) }
            } else {
                value.forEachElement { if let name = $0.bytes { targets.append(Name(bytes: name)) } }
            }
        }
        return targets
    }
}
