import NephosTesting

/// Compares what a server holds after a crash with what its clients know.
struct Audit {
    let wire: Wire

    /// What is really there of a writer's. Zones with a feed are read twice, by their feed and by name.
    ///
    /// - Throws: ``WrongAnswer`` when the two differ, or a record is damaged.
    func belongings(of writer: Writer) throws -> Belongings {
        var actual = Belongings()
        actual.hasOwnZone = try wire.zones().contains(writer.ownZone)
        for place in Place.allCases {
            if place == .own && !actual.hasOwnZone { continue }
            let names = writer.journal.names[place, default: []].sorted()
            actual[place] = try wire.lookup(names, writer.database(place), zone: writer.zone(place))
            guard place.isAtomic, let zone = writer.zone(place) else { continue }
            let told = try wire.follow(zone: zone, pageSize: 50).values.filter { $0.key.hasPrefix(writer.prefix) }
            if told != actual[place] {
                var feed = actual
                feed[place] = told
                throw WrongAnswer(description: "feed and records of \(zone) differ: \(feed.difference(from: actual))")
            }
        }
        return actual
    }

    /// Every fault there is with one writer's data, if the world ended at `time`; and what is really there.
    func faults(of writer: Writer, at time: UInt64 = .max) -> (faults: [String], actual: Belongings?) {
        do {
            let actual = try belongings(of: writer)
            var faults = [writer.journal.expectation(at: time).fault(of: actual)].compactMap { $0 }
            if let fault = try feedFault(of: writer, at: time) { faults.append(fault) }
            return (faults.map { "writer \(writer.number): \($0)" }, actual)
        } catch {
            return (["writer \(writer.number): \(error)"], nil)
        }
    }

    /// A token from before the crash must lead to where a reader from the beginning arrives.
    private func feedFault(of writer: Writer, at time: UInt64) throws -> String? {
        guard let start = writer.journal.feed(at: time) else { return nil }
        let old = try wire.follow(zone: Wire.sharedZone, from: start)
        let fresh = try wire.follow(zone: Wire.sharedZone)
        if old.values == fresh.values { return nil }
        let names = Set(old.values.keys).union(fresh.values.keys).filter { old.values[$0] != fresh.values[$0] }
        return "a token from before the crash leads elsewhere: \(names.sorted().prefix(12))"
    }
}
