import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

/// Compares the records sorted for picking with the records themselves.
struct PickCheck {
    private static let pageRows = 1_000
    /// Attempts, as records may be sorted during a check.
    private static let attemptsMax = 3

    private let administration: Administration
    private let store: any TenantStore
    private let now: Milliseconds

    init(_ administration: Administration, _ store: any TenantStore) {
        (self.administration, self.store, now) = (administration, store, administration.inputs.now())
    }

    func findings() throws(AdminError) -> [CheckFinding] {
        let catalog = try administration.read(store).catalog
        let settings: ContentSettings
        do throws(SectionFailure) { settings = try catalog.content() } catch {
            return [
                CheckFinding(
                    table: "content_items", what: "the content settings cannot be read by this program: \(error)")
            ]
        }
        var findings: [CheckFinding] = []
        for (name, content) in settings.types.sorted(by: { $0.key < $1.key }) {
            guard let type = catalog.types[name] else { continue }
            for _ in 0..<Self.attemptsMax {
                let (found, isSame) = try self.findings(of: type, content)
                guard isSame else { continue }
                findings += found
                break
            }
        }
        return findings
    }

    /// - Returns: Also whether nothing was sorted meanwhile; otherwise the findings may be wrong.
    private func findings(
        of type: RecordType, _ content: ContentType
    ) throws(AdminError) -> (found: [CheckFinding], isSame: Bool) {
        let (index, groups) = (PickIndexRow.of(type.row.number), PickGroupRow.all(of: type.row.number))
        var set = ReadSet()
        set.zones = [.name(Content.database, defaultZoneName)]
        set.ask(index)
        set.ask(groups)
        let before = try administration.read(store, set)
        // A type that is not sorted yet will be.
        guard let row = before[index].first, row.fields == content.print(of: type) else { return ([], true) }
        let zone = before.zones.first ?? nil
        var wrong: [String] = []
        let items = try items(of: type, before[groups], &wrong)
        if zone?.number == row.zone, zone.map({ $0.changedSequence <= row.sequence }) ?? false, row.moment > now {
            try compare(
                items, Dictionary(before[groups].map { ($0.group, $0.key) }) { first, _ in first }, type, content,
                &wrong)
        }
        let after = try administration.read(store, set)
        let isSame = after[index] == before[index] && after.zones == before.zones
        return (wrong.map { CheckFinding(table: "content_items", what: "\(type.row.name): \($0)") }, isSame)
    }

    /// All items by name. Checks that places have no gaps, and that their numbers match the groups.
    private func items(
        of type: RecordType, _ groups: [PickGroupRow], _ wrong: inout [String]
    ) throws(AdminError) -> [Name: PickItemRow] {
        var (items, counts): ([Name: PickItemRow], [Int64: [PickState: Int64]]) = ([:], [:])
        var last: PickPlace?
        while true {
            let page = try administration.rows(
                PickItemRow.all(of: type.row.number, after: last, limit: Self.pageRows), of: store)
            for item in page {
                let count = counts[item.group, default: [:]][item.state] ?? 0
                if item.slot != count { wrong.append("record \(item.name) has place \(item.slot) instead of \(count)") }
                counts[item.group, default: [:]][item.state] = count + 1
                if items.updateValue(item, forKey: item.name.owned) != nil {
                    wrong.append("record \(item.name) has two places")
                }
            }
            guard page.count == Self.pageRows else { break }
            last = page.last?.place
        }
        for group in groups where group.counts != counts.removeValue(forKey: group.group) ?? [:] {
            wrong.append("the counts of group \(group.group) do not match its records")
        }
        for group in counts.keys.sorted() { wrong.append("group \(group) does not exist, but has records") }
        return items
    }

    private func compare(
        _ items: [Name: PickItemRow], _ keys: [Int64: PickGroupKey], _ type: RecordType, _ content: ContentType,
        _ wrong: inout [String]
    ) throws(AdminError) {
        var left = items
        var position: NameScan.Position?
        repeat {
            guard let page = try administration.read(store, Content.page(of: type, after: position)).names.first else {
                break
            }
            for record in page.records {
                let item = left.removeValue(forKey: record.name)
                let placement = PickPlacement(record, content, type, at: now)
                let expected = placement.flatMap { placement in
                    item.map { placement.row(record.name, type.row.number, group: $0.group, slot: $0.slot) }
                }
                let isOfGroup = item.map { $0.group == PickGroupRow.shared || keys[$0.group] == placement?.key } ?? true
                if (item == nil) != (placement == nil) || item != expected || !isOfGroup {
                    wrong.append("the index entry of record \(record.name) does not match the record")
                }
            }
            position = page.next
        } while position != nil
        for name in left.keys.sorted() { wrong.append("record \(name) does not exist, but has an index entry") }
    }
}
