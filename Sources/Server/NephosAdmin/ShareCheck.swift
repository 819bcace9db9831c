import CloudKitWire
import NephosDomain
package import NephosRunner
package import NephosStorage

/// What `check` compares of shares: rows of zones, shares, participants and records say the same about who sees what.
///
/// A server may be running: a zone that changes while it is read is read again, and left to the next check if it keeps changing.
package struct ShareCheck {
    private let administration: Administration
    private let store: any TenantStore
    private static let attempts = 3
    private static let rowsMax = 1_000_000

    package init(_ administration: Administration, _ store: any TenantStore) {
        (self.administration, self.store) = (administration, store)
    }

    package func findings() throws(AdminError) -> [CheckFinding] {
        var findings: [CheckFinding] = []
        let last = try administration.read(store, ReadSet()).catalog.head.lastDatabase
        for database in stride(from: 2 as DatabaseNumber, through: last, by: 1) {
            let rows = try rows(of: database)
            for zone in rows.zones {
                // Usual, and not worth more.
                guard zone.sharing != .nothing || rows.shares.contains(where: { $0.zone == zone.number }) else {
                    continue
                }
                findings += try compare(zone.number, rows)
            }
        }
        return findings
    }

    /// What a database says of shares, from one snapshot.
    private struct Rows: Equatable {
        /// Those that are not deleted.
        var zones: [ZoneRow] = []
        var shares: [ShareRow] = []
        var people: [ParticipantRow] = []

        /// The same of one zone.
        func only(_ zone: ZoneNumber) -> Rows {
            Rows(
                zones: zones.filter { $0.number == zone }, shares: shares.filter { $0.zone == zone },
                people: people.filter { $0.zone == zone })
        }
    }

    private func rows(of database: DatabaseNumber) throws(AdminError) -> Rows {
        let shares = ShareRow.all(in: database, limit: Self.rowsMax)
        let people = ParticipantRow.all(in: database, limit: Self.rowsMax)
        var set = ReadSet()
        set.databases = [database]
        set.zoneLists = [database]
        set.ask(shares)
        set.ask(people)
        let reading = try administration.read(store, set)
        // Of somebody who has left.
        guard reading.databases[0] != nil else { return Rows() }
        return Rows(zones: reading.zoneLists[0], shares: reading[shares], people: reading[people])
    }

    private func compare(_ number: ZoneNumber, _ all: Rows) throws(AdminError) -> [CheckFinding] {
        var rows = all.only(number)
        for _ in 0..<Self.attempts {
            guard let zone = rows.zones.first else { return [] }
            let found = try compare(zone, rows.shares, rows.people)
            if found.isEmpty { return [] }
            let after = try self.rows(of: zone.database).only(number)
            if after == rows { return found }
            rows = after
        }
        return []
    }

    private func compare(
        _ zone: ZoneRow, _ shares: [ShareRow], _ people: [ParticipantRow]
    ) throws(AdminError) -> [CheckFinding] {
        let name = "zone \(zone.number) of database \(zone.database)"
        let isSound: Bool =
            switch zone.sharing {
            case .nothing: shares.isEmpty
            case .zone(let number): shares.map(\.number) == [number] && shares.allSatisfy(\.isOfZone)
            case .records: !shares.isEmpty && shares.allSatisfy { !$0.isOfZone && $0.state == .live }
            case .recordsInPreparation:
                shares.contains { $0.state == .preparing } && !shares.contains(where: \.isOfZone)
            }
        guard isSound else {
            return [
                CheckFinding(table: "zones", what: "\(name): says something else of what is shared than its shares")
            ]
        }
        guard !shares.isEmpty else { return [] }
        var findings: [CheckFinding] = []
        let records = try records(of: zone)
        for share in shares {
            let row = "share \(share.number) of database \(share.database)"
            guard let list = records[share.name]?.list else {
                findings.append(CheckFinding(table: "shares", what: "\(row): its share record is missing"))
                continue
            }
            let named = Set(
                list.participants.compactMap { person in person.user.map { Named($0, person.hasAccepted) } })
            let rows = people.filter { $0.share == share.number && $0.status != .removed }
            if Set(rows.map { Named($0.user, $0.status == .accepted) }) != named
                || list.publicPermission != share.publicPermission
            {
                findings.append(
                    CheckFinding(table: "participants", what: "\(row): others participate than its share record says"))
            }
        }
        // While a share is being prepared, not all of its records are marked.
        if zone.sharing == .records { findings += Self.marks(records, shares, name) }
        return findings
    }

    private struct Named: Hashable {
        let user: UserID
        let hasAccepted: Bool

        init(_ user: UserID, _ hasAccepted: Bool) { (self.user, self.hasAccepted) = (user, hasAccepted) }
    }

    /// What the check needs of a record.
    private struct Record {
        let number: RecordNumber
        let parent: Name?
        let share: ShareNumber?
        /// Of a share record.
        let list: ShareList?
    }

    private func records(of zone: ZoneRow) throws(AdminError) -> [Name: Record] {
        var records: [Name: Record] = [:]
        var position: NameScan.Position?
        repeat {
            var set = ReadSet()
            set.names = [
                NameScan(place: .zone(.number(zone.database, zone.number)), after: position, limit: 1_000)
            ]
            guard let page = try administration.read(store, set).names.first else { break }
            for row in page.records {
                records[row.name.owned] = Record(
                    number: row.number, parent: row.parent?.owned, share: row.share,
                    list: row.flags.contains(.share) ? ShareList(of: row.fields) : nil)
            }
            position = page.next
        } while position != nil
        return records
    }

    /// Each record belongs to the share of the nearest root: itself, or one above it. Marks of shares that ended are of no meaning.
    private static func marks(_ records: [Name: Record], _ shares: [ShareRow], _ zone: String) -> [CheckFinding] {
        let live = Set(shares.map(\.number))
        let roots = Dictionary(shares.map { ($0.root, $0.number) }) { first, _ in first }
        let ofRecords = Dictionary(shares.map { ($0.name, $0.number) }) { first, _ in first }
        var known: [Name: ShareNumber?] = [:]
        var findings: [CheckFinding] = []
        for (name, record) in records.sorted(by: { $0.value.number < $1.value.number }) {
            let expected = ofRecords[name] ?? share(of: name, records, roots, &known)
            let mark = record.share.flatMap { live.contains(abs($0)) ? $0 : nil }
            if mark != expected {
                findings.append(
                    CheckFinding(
                        table: "records",
                        what:
                            "record \(record.number) of \(zone): is in share \(mark ?? 0), and should be in \(expected ?? 0)"
                    ))
            }
        }
        return findings
    }

    private static func share(
        of name: Name, _ records: [Name: Record], _ roots: [RecordNumber: ShareNumber],
        _ known: inout [Name: ShareNumber?]
    ) -> ShareNumber? {
        var line: [Name] = []
        var next: Name? = name
        var found: ShareNumber?
        while let name = next, let record = records[name] {
            if let share = known[name] {
                found = share
                break
            }
            // Until it is known better, which also ends a cycle.
            known[name] = .some(nil)
            line.append(name)
            if let share = roots[record.number] {
                found = share
                break
            }
            next = record.parent
        }
        for name in line { known[name] = .some(found) }
        return found
    }
}
