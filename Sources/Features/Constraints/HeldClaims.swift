/// Who holds what, by what makes rivals and in the order of the slots. Mostly it is about one or two claims, which are looked for one by one.
struct HeldClaims {
    /// Past this many they are looked for by a hash.
    private static let fewMax = 8

    private var lists: [(rivals: Rivals, rows: [ClaimRow])] = []
    private var places: [Rivals: Int] = [:]

    /// Nobody holds anything.
    var isEmpty: Bool { lists.allSatisfy(\.rows.isEmpty) }

    /// All that was ever put, in order.
    var rivals: [Rivals] { lists.count < 2 ? lists.map(\.rivals) : lists.map(\.rivals).sorted() }

    subscript(_ rivals: Rivals) -> [ClaimRow] { place(of: rivals).map { lists[$0].rows } ?? [] }

    private func place(of rivals: Rivals) -> Int? {
        lists.count <= Self.fewMax ? lists.firstIndex { $0.rivals == rivals } : places[rivals]
    }

    /// Puts a row, in the place of one with its slot.
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
