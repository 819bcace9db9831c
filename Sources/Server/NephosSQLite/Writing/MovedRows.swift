import NephosStorage

/// Heads and zones as the decisions of a transaction left them. They are written on commit: most groups update the same few rows many times.
struct MovedRows {
    private(set) var heads: [DatabaseNumber: HeadRow] = [:]
    /// Few, so that a linear search is fastest.
    private(set) var zones: [ZoneRow] = []

    mutating func move(_ head: HeadRow) { heads[head.database] = head }

    mutating func move(_ zone: ZoneRow) {
        if let index = zones.firstIndex(where: { $0.isSame(as: zone) }) {
            zones[index] = zone
        } else {
            zones.append(zone)
        }
    }

    func zone(_ key: ZoneKey) -> ZoneRow? {
        switch key {
        case .name(let database, let name):
            zones.first { $0.database == database && $0.name == name && $0.state == .live }
        case .number(let database, let number): zones.first { $0.database == database && $0.number == number }
        }
    }

    /// Forgets a zone whose row was written by other means.
    mutating func forget(_ zone: ZoneRow) { zones.removeAll { $0.isSame(as: zone) } }

    mutating func forgetHeads() { heads.removeAll(keepingCapacity: true) }

    mutating func forgetZones() { zones.removeAll(keepingCapacity: true) }

    mutating func forgetAll() {
        forgetHeads()
        forgetZones()
    }
}

extension ZoneRow {
    fileprivate func isSame(as other: ZoneRow) -> Bool { database == other.database && number == other.number }
}
