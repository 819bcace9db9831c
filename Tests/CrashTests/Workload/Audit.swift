import NephosTesting

/// Compares the contents of a server after a crash with what was acknowledged to its clients.
struct Audit {
    let wire: Wire

    /// The actual data of a writer. Zones with a feed are read twice, by feed and by name.
    ///
    /// - Throws: ``WrongAnswer`` if the two differ, or a record is damaged.
    func belongings(of writer: Writer) throws -> WriterContents {
        var actual = WriterContents()
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

    /// All faults in one writer's data, for a crash at `time`, and the actual data.
    func faults(of writer: Writer, at time: UInt64 = .max) -> (faults: [String], actual: WriterContents?) {
        do {
            let actual = try belongings(of: writer)
            var faults = [writer.journal.expectation(at: time).fault(of: actual)].compactMap { $0 }
            if let fault = try feedFault(of: writer, at: time) { faults.append(fault) }
            return (faults.map { "writer \(writer.number): \($0)" }, actual)
        } catch {
            return (["writer \(writer.number): \(error)"], nil)
        }
    }

    /// A token from before the crash must lead to the same state as reading from the beginning.
    private func feedFault(of writer: Writer, at time: UInt64) throws -> String? {
        guard let start = writer.journal.feed(at: time) else { return nil }
        let old = try wire.follow(zone: Wire.sharedZone, from: start)
        let fresh = try wire.follow(zone: Wire.sharedZone)
        if old.values == fresh.values { return nil }
        let names = Set(old.values.keys).union(fresh.values.keys).filter { old.values[$0] != fresh.values[$0] }
        return "a token from before the crash leads elsewhere: \(names.sorted().prefix(12))"
    }
}
