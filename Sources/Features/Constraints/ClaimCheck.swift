import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

/// Recomputes the claims of all records of an environment, and compares them with the stored ones.
struct ClaimCheck {
    private static let pageRows = 1_000
    /// The maximum number of findings.
    private static let findingsMax = 100

    private let administration: Administration
    private let store: any TenantStore

    init(_ administration: Administration, _ store: any TenantStore) {
        (self.administration, self.store) = (administration, store)
    }

    func findings() throws(AdminError) -> [CheckFinding] {
        let catalog = try administration.read(store).catalog
        let settings: ConstraintSettings?
        do throws(SectionFailure) { settings = try catalog.value(of: .constraints) } catch {
            return [CheckFinding(table: "claims", what: "the constraints cannot be read by this program: \(error)")]
        }
        guard let settings else { return [] }
        let stamp = catalog.sections[Constraints.name]?.stamp
        let kept = Set(
            try administration.rows(VerifiedConstraintRow.all, of: store).filter { $0.section == stamp }.map(\.id))
        var findings = settings.all.filter { !kept.contains($0.id) }.map { constraint in
            CheckFinding(
                table: "kept_constraints",
                what: "\(constraint.place): not all records were checked against it; import the settings again")
        }
        let types = settings.types.values.map { constraints in
            TypeConstraints(constraints.type, constraints.constraints.filter { kept.contains($0.id) && $0.isClaim })
        }.filter(\.hasClaims)
        for database in 1...catalog.head.lastDatabase where findings.count < Self.findingsMax {
            findings += try self.findings(types, catalog, in: database)
        }
        return findings
    }

    private struct Holder: Hashable {
        let zone: ZoneNumber
        let name: Name
    }

    private func findings(
        _ types: [TypeConstraints], _ catalog: Catalog, in database: DatabaseNumber
    ) throws(AdminError) -> [CheckFinding] {
        let ids = Set(types.flatMap(\.constraints).map(\.id))
        var held = try self.held(in: database).mapValues { $0.filter { ids.contains($0.constraint) } }
            .filter { !$0.value.isEmpty }
        var suspects: [Holder: Set<Rivals>] = [:]
        for constraints in types {
            guard let type = catalog.types[constraints.type] else { continue }
            try forEachRecord(of: type, in: database) { record in
                let holder = Holder(zone: record.zone, name: record.name.owned)
                let (claims, rows) = (
                    constraints.claims(of: record, type, catalog), held.removeValue(forKey: holder) ?? []
                )
                guard !claims.agree(with: rows) else { return }
                suspects[holder] = Set(claims.map(\.rivals) + rows.map(\.rivals))
            }
        }
        var set = ReadSet()
        set.zoneLists = [database]
        let live = Set((try administration.read(store, set).zoneLists.first ?? []).map(\.number))
        // Claims of deleted zones are removed with their records.
        for (holder, rows) in held where live.contains(holder.zone) { suspects[holder] = Set(rows.map(\.rivals)) }
        // The record may have been saved during the check: check again in one snapshot.
        var findings: [CheckFinding] = []
        for (holder, rivals) in suspects.sorted(by: { ($0.key.zone, $0.key.name) < ($1.key.zone, $1.key.name) }) {
            guard findings.count < Self.findingsMax else { break }
            if let finding = try finding(of: holder, rivals, types, in: database) { findings.append(finding) }
        }
        return findings
    }

    private func finding(
        of holder: Holder, _ rivals: Set<Rivals>, _ types: [TypeConstraints], in database: DatabaseNumber
    ) throws(AdminError) -> CheckFinding? {
        var set = ReadSet()
        set.records = [RecordKey(zone: .number(database, holder.zone), name: holder.name)]
        let scan = ClaimRow.held(Array(rivals), in: database)
        set.ask(scan)
        let reading = try administration.read(store, set)
        var claims: [Claim] = []
        if case .record(let record)? = reading.records.first, let type = reading.catalog.type(record.type),
            let constraints = types.first(where: { $0.type == type.row.name })
        {
            claims = constraints.claims(of: record, type, reading.catalog).filter { rivals.contains($0.rivals) }
        }
        let rows = reading[scan].filter { $0.zone == holder.zone && $0.name == holder.name }
        guard !claims.agree(with: rows) else { return nil }
        let what =
            rows.count < claims.count
            ? "record \(holder.name) of zone \(holder.zone) lacks a claim"
            : "record \(holder.name) of zone \(holder.zone) has a wrong claim"
        return CheckFinding(table: "claims", what: what)
    }

    private func held(in database: DatabaseNumber) throws(AdminError) -> [Holder: [ClaimRow]] {
        var held: [Holder: [ClaimRow]] = [:]
        var after: ClaimRow?
        while true {
            let rows = try administration.rows(
                ClaimRow.all(in: database, after: after, limit: Self.pageRows), of: store)
            for row in rows { held[Holder(zone: row.zone, name: row.name.owned), default: []].append(row) }
            guard rows.count == Self.pageRows else { return held }
            after = rows.last
        }
    }

    private func forEachRecord(
        of type: RecordType, in database: DatabaseNumber, _ body: (RecordRow) -> Void
    ) throws(AdminError) {
        var position: NameScan.Position?
        repeat {
            var set = ReadSet()
            set.names = [
                NameScan(
                    place: .database(database), type: type.row.number, after: position, limit: Self.pageRows,
                    byteLimit: 4 << 20)
            ]
            guard let page = try administration.read(store, set).names.first else { return }
            for record in page.records { body(record) }
            position = page.next
        } while position != nil
    }
}

extension TypeConstraints {
    fileprivate func claims(of record: RecordRow, _ type: RecordType, _ catalog: Catalog) -> [Claim] {
        claims(of: values(in: record.liveFields(of: type)), type.row, catalog, in: record.zone).map(\.claim)
    }
}

extension [Claim] {
    /// Whether these rows match the claims.
    fileprivate func agree(with rows: [ClaimRow]) -> Bool {
        count == rows.count
            && allSatisfy { claim in
                rows.contains { $0.holds(claim) }
            }
    }
}
