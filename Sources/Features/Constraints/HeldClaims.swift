/// Who holds what, by rivals and in the order of slots. Usually there are one or two entries, which are searched linearly.
struct HeldClaims {
    /// With more entries than this, a hash table is used.
    private static let fewMax = 8

    private var lists: [(rivals: Rivals, rows: [ClaimRow])] = []
    private var places: [Rivals: Int] = [:]

    /// Whether nothing is held.
    var isEmpty: Bool { lists.allSatisfy(\.rows.isEmpty) }

    /// All rivals that were ever put, in order.
    var rivals: [Rivals] { lists.count < 2 ? lists.map(\.rivals) : lists.map(\.rivals).sorted() }

    subscript(_ rivals: Rivals) -> [ClaimRow] { place(of: rivals).map { lists[$0].rows } ?? [] }

    private func place(of rivals: Rivals) -> Int? {
        lists.count <= Self.fewMax ? lists.firstIndex { $0.rivals == rivals } : places[rivals]
    }

    /// Puts a row, replacing one with its slot.
    mutating func put(_ row: ClaimRow) {
        let rivals = row.rivals
        guard let place = place(of: rivals) else {
            lists.append((rivals, [row]))
            if lists.count == Self.fewMax + 1 {
                for (place, list) in lists.enumerated() { places[list.rivals] = place }
            } else if lists.count > Self.fewMax {
                places[rivals] = lists.count - 1
            }
            return
        }
        let at = lists[place].rows.firstIndex { $0.slot >= row.slot } ?? lists[place].rows.count
        if at < lists[place].rows.count, lists[place].rows[at].slot == row.slot {
            lists[place].rows[at] = row
        } else {
            lists[place].rows.insert(row, at: at)
        }
    }

    mutating func remove(where goes: (ClaimRow) -> Bool) {
        for place in lists.indices where lists[place].rows.contains(where: goes) {
            lists[place].rows.removeAll(where: goes)
        }
    }

    mutating func remove(of rivals: Rivals, where goes: (ClaimRow) -> Bool) {
        if let place = place(of: rivals) { lists[place].rows.removeAll(where: goes) }
    }
}
