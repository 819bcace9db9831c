/// The switches that are on, in a form that is read in a few steps without allocations: an open-addressing hash table whose free
/// slots have empty IDs. Each flag has its hash precomputed.
///
/// The hash differs in each process: a server cannot choose IDs that all begin at the same slot, which would make reads slow.
struct SwitchTable: Sendable {
    private struct Place {
        var print: UInt64
        var id: String
        var isOn: Bool
    }

    /// A power of two; at most half of the slots are used.
    private var places: [Place]

    init(_ switches: [String: Bool] = [:]) {
        var size = 8
        while size < switches.count * 2 { size *= 2 }
        places = Array(repeating: Place(print: 0, id: "", isOn: false), count: size)
        for (id, isOn) in switches where !id.isEmpty {
            let print = Self.print(of: id)
            var place = Int(truncatingIfNeeded: print) & (size - 1)
            while !places[place].id.isEmpty { place = (place + 1) & (size - 1) }
            places[place] = Place(print: print, id: id, isOn: isOn)
        }
    }

    /// nil for an unknown flag.
    func isOn(_ flag: FeatureFlag) -> Bool? {
        let mask = places.count - 1
        var place = Int(truncatingIfNeeded: flag.print) & mask
        while true {
            if places[place].print == flag.print, places[place].id == flag.id { return places[place].isOn }
            if places[place].id.isEmpty { return nil }
            place = (place + 1) & mask
        }
    }

    static func print(of id: String) -> UInt64 {
        var (id, hasher) = (id, Hasher())
        id.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        return UInt64(truncatingIfNeeded: hasher.finalize())
    }
}
