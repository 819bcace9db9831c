import CloudKitWire
public import NephosStorage

extension Rules: CatalogDerivative {
    public func swept(_ counts: [TypeNumber: Int64], from head: HeadRow, at now: Milliseconds) -> HeadAnnex? {
        var annex = head.annex
        guard let catalog else { return annex }
        let known = counts.compactMap { number, count in catalog.type(number).map { ($0.row.name, count) } }
        for rule in recordRules {
            let own = Dictionary(uniqueKeysWithValues: known.filter { rule.concerns($0.0, in: catalog) })
            let records = SweptRecords(head: head, now: now, counts: own)
            guard own.isEmpty || rule.swept(records, annex: &annex) else { return nil }
        }
        let tallies = counts.sorted { $0.key < $1.key }.compactMap { number, count -> RecordTally? in
            guard let type = catalog.type(number)?.row, self.count(type, in: head.kind) else { return nil }
            return RecordTally(type: number, .deleted, at: now, count: count)
        }
        guard !tallies.isEmpty else { return annex }
        return counters.allSatisfy { $0.swept(tallies, from: head, annex: &annex) } ? annex : nil
    }
}
