import CloudKitWire
import NephosDomain
import NephosStorage

extension ClaimBook {
    /// What must be read for changes: the rows for what they hold or claim.
    struct Scans {
        let database: DatabaseNumber
        private(set) var all: [Scan<ClaimRow>] = []

        var reading: RequestedRows {
            var set = RequestedRows()
            for scan in all { set.ask(scan) }
            return set
        }

        init(_ changes: [Change], in database: DatabaseNumber) {
            self.database = database
            var places: [Rivals] = []
            var beginnings: Set<Beginning> = []
            var stretches: [Rivals: Int] = [:]
            func look(at claim: Claim) {
                switch claim.kind {
                case .place: places.append(claim.rivals)
                case .stretch(let start, _):
                    beginnings.insert(Beginning(rivals: claim.rivals, start: start))
                    stretches[claim.rivals, default: 0] += 1
                }
            }
            for change in changes {
                for claim in change.old { look(at: claim) }
                for (_, claim) in change.new { look(at: claim) }
            }
            if !places.isEmpty { all.append(ClaimRow.held(places, in: database)) }
            guard !beginnings.isEmpty else { return }
            all.append(ClaimRow.beginning(beginnings, in: database))
            // Stored intervals do not overlap, so the last one that begins before the end decides, unless it belongs to a changed
            // record.
            var asked: Set<Beginning> = []
            for change in changes {
                for (_, claim) in change.new {
                    guard case .stretch(_, let end) = claim.kind,
                        asked.insert(Beginning(rivals: claim.rivals, start: end)).inserted
                    else { continue }
                    all.append(
                        ClaimRow.before(
                            end, of: claim.rivals, in: database, limit: 1 + (stretches[claim.rivals] ?? 0)))
                }
            }
        }
    }
}
