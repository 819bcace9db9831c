import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

/// Processes everything stored in an environment for constraints, page by page, while servers are running.
struct ConstraintWork: Sendable {
    /// Records per page, and rows of claims per transaction.
    private static let pageRows = 200
    private static let claimRows = 500

    private let administration: Administration
    private let store: any TenantStore
    /// The contents of the section during this work.
    private let section: Bytes?
    private let progress: @Sendable (String) -> Void

    init(_ move: SectionMove, section: Bytes?) {
        (administration, store, progress) = (move.administration, move.store, move.progress)
        self.section = section
    }

    /// Commits a decision, unless the section was changed by somebody else.
    private func commit<Answer: Sendable>(
        _ set: ReadSet, _ decide: @escaping @Sendable (Reading) throws -> Decision<Answer>
    ) async throws(AdminError) -> Answer {
        try await administration.commit(to: store, set) { [section] reading in
            guard reading.catalog.sections[Constraints.name]?.document == section else {
                throw AdminError.refused(
                    "Another user has changed the constraints in the meantime: import the settings again.")
            }
            return try decide(reading)
        }
    }

    // MARK: Constraints to check

    /// By type, the constraints that have not been found kept since a change of the section, or since the last one.
    func new(_ settings: ConstraintSettings?, since before: SectionRow?) throws(AdminError) -> [TypeConstraints] {
        guard let settings else { return [] }
        var set = ReadSet()
        set.ask(VerifiedConstraintRow.all)
        let reading = try administration.read(store, set)
        let stamps = [before?.stamp, reading.catalog.sections[Constraints.name]?.stamp].compactMap(\.self)
        let kept = Set(reading[VerifiedConstraintRow.all].filter { stamps.contains($0.section) }.map(\.id))
        return settings.types.sorted { $0.key < $1.key }.compactMap { type, constraints in
            let new = constraints.constraints.filter { !kept.contains($0.id) }
            return new.isEmpty ? nil : TypeConstraints(type, new)
        }
    }

    /// Records that these constraints are kept, and removes the claims of others.
    func keep(_ constraints: [Constraint], forgetting others: [Constraint]) async throws(AdminError) {
        let ids = Set(constraints.map(\.id))
        let stored = try administration.rows(VerifiedConstraintRow.all, of: store).map(\.id)
        try await removeClaims(of: Set(stored + others.map(\.id)).subtracting(ids))
        var set = ReadSet()
        set.ask(VerifiedConstraintRow.all)
        try await commit(set) { reading in
            var writes = WriteSet()
            let stored = reading[VerifiedConstraintRow.all]
            for row in stored where !ids.contains(row.id) { writes.remove(row) }
            let section = reading.catalog.sections[Constraints.name]?.stamp ?? 0
            for id in ids.sorted() {
                let (row, old) = (VerifiedConstraintRow(id: id, section: section), stored.first { $0.id == id })
                if row != old { writes.put(row, replacing: old) }
            }
            return .write(writes, ())
        }
    }

    // MARK: Records

    /// - Parameter body: Receives pages of records of each type.
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

    // MARK: Checking

    /// Checks a page of records without writing anything.
    func check(
        _ constraints: TypeConstraints, _ records: [RecordRow], in database: DatabaseNumber,
        _ breaches: inout ConstraintViolations
    ) throws(AdminError) {
        try checkValues(constraints, records, in: database, &breaches)
        let catalog = try administration.read(store).catalog
        guard let type = catalog.types[constraints.type], constraints.hasClaims else { return }
        for record in records {
            let values = constraints.values(in: record.liveFields(of: type))
            for (constraint, claim) in constraints.claims(of: values, type.row, catalog, in: record.zone) {
                breaches.add(claim, of: constraint, constraints.type, record)
            }
        }
    }

    /// Checks constraints that a record breaks by itself.
    func checkValues(
        _ constraints: TypeConstraints, _ records: [RecordRow], in database: DatabaseNumber,
        _ breaches: inout ConstraintViolations
    ) throws(AdminError) {
        let catalog = try administration.read(store).catalog
        guard let type = catalog.types[constraints.type] else { return }
        breaches.look(records.count, constraints.type)
        for record in records {
            let values = constraints.values(in: record.liveFields(of: type))
            if let violation = constraints.violation(in: values) {
                breaches.add(violation.constraint, constraints.type, record)
            }
            if let violation = constraints.backwards(in: values) {
                breaches.add(violation.constraint, constraints.type, record)
            }
        }
        for constraint in constraints.held {
            try checkReferences(constraint, constraints, records, type, &breaches)
        }
    }

    private func checkReferences(
        _ constraint: Constraint, _ constraints: TypeConstraints, _ records: [RecordRow], _ type: RecordType,
        _ breaches: inout ConstraintViolations
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

    /// Removes claims that no record has. When a database is done, everything that is saved there is checked against the
    /// constraints.
    func removeStale(_ constraints: [TypeConstraints]) async throws(AdminError) {
        try await forEachDatabase { database throws(AdminError) in
            var step = RemoveStaleClaims(constraints, in: database)
            repeat {
                let next = step
                step.after = try await commit(next.reading) { next.decide($0) }
            } while step.after != nil
        }
    }

    /// Writes the claims of the records of a type.
    func establish(_ constraints: TypeConstraints, _ breaches: inout ConstraintViolations) async throws(AdminError) {
        let catalog = try administration.read(store).catalog
        guard let type = catalog.types[constraints.type] else { return }
        var found: [(Constraint, RecordRow)] = []
        try await forEachDatabase { database throws(AdminError) in
            var position: NameScan.Position?
            repeat {
                guard let page = try page(of: type, in: database, after: position) else { break }
                if !page.records.isEmpty {
                    let step = EstablishClaims(constraints, page.records, in: database)
                    found += try await commit(step.reading) { step.decide($0) }
                }
                position = page.next
            } while position != nil
        }
        for (constraint, record) in found { breaches.add(constraint, constraints.type, record) }
    }

    /// Removes all claims of constraints that did not take effect, except those of others.
    func removeClaims(of types: [TypeConstraints], butOf others: [Constraint]) async throws(AdminError) {
        let ids = types.flatMap(\.constraints).filter(\.isClaim).map(\.id)
        try await removeClaims(of: Set(ids).subtracting(others.map(\.id)))
    }

    /// Removes all claims of some constraints.
    private func removeClaims(of constraints: Set<Int64>) async throws(AdminError) {
        guard !constraints.isEmpty else { return }
        try await forEachDatabase { database throws(AdminError) in
            for constraint in constraints.sorted() {
                let scan = ClaimRow.all(of: constraint, in: database, after: nil, limit: Self.claimRows)
                while try !administration.rows(scan, of: store).isEmpty {
                    var set = ReadSet()
                    set.databases = [database]
                    set.ask(scan)
                    try await commit(set) { reading in
                        var writes = WriteSet()
                        for row in reading[scan] { writes.remove(row) }
                        return .write(writes, ())
                    }
                }
            }
        }
    }

    private func forEachDatabase(
        _ body: (DatabaseNumber) async throws(AdminError) -> Void
    ) async throws(AdminError) {
        for database in 1...(try administration.read(store).catalog.head.lastDatabase) { try await body(database) }
    }
}

extension Bytes {
    /// The targets of references in some fields.
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
