/// Where a writer stores records.
enum Place: String, CaseIterable, Sendable {
    /// The public database: operations are independent, even within one request.
    case commons
    /// The default zone of the private database, likewise.
    case home
    /// A zone shared by all writers of one user: requests are atomic.
    case together
    /// A zone of a single writer, which is created and deleted: requests are atomic.
    case own

    var isAtomic: Bool { self == .together || self == .own }
}

/// Everything that a writer has stored: its own zone, if it exists, and the number in each of its records.
struct WriterContents: Equatable, Sendable {
    var hasOwnZone = false
    var records: [Place: [String: Int64]] = [:]

    subscript(place: Place) -> [String: Int64] {
        get { records[place] ?? [:] }
        set { records[place] = newValue.isEmpty ? nil : newValue }
    }

    func after(_ change: Change) -> WriterContents {
        var result = self
        switch change {
        case .records(let place, let values):
            for (name, value) in values { result[place][name] = value }
        case .makeZone:
            result.hasOwnZone = true
        case .dropZone:
            result.hasOwnZone = false
            result[.own] = [:]
        }
        return result
    }
}

/// The effect of one request on a writer's data.
enum Change: Equatable, Sendable {
    /// New numbers of records; nil deletes.
    case records(Place, [String: Int64?])
    case makeZone
    case dropZone
}

/// One request, as known to the client.
struct Attempt: Sendable {
    var change: Change
    /// When it was acknowledged, by CLOCK_MONOTONIC in nanoseconds; nil without a response.
    var acknowledged: UInt64?
    /// When it was sent.
    var sent: UInt64
}

/// The expected data at some moment: everything acknowledged, and possibly the request in flight.
struct Expectation: Sendable {
    var acknowledged: WriterContents
    var underWay: Change?

    /// Why `actual` is not possible; nil if it is. An atomic request is stored completely or not at all.
    func fault(of actual: WriterContents) -> String? {
        if actual == acknowledged { return nil }
        guard let underWay else { return "nothing was under way, yet \(acknowledged.difference(from: actual))" }
        let applied = acknowledged.after(underWay)
        if actual == applied { return nil }
        if case .records(let place, let values) = underWay, !place.isAtomic {
            // Each operation is independent: it is stored or not.
            var mixed = acknowledged
            for (name, value) in values where actual[place][name] == value { mixed[place][name] = value }
            if actual == mixed { return nil }
        }
        return """
            without the request under way (\(underWay)) \(acknowledged.difference(from: actual)); \
            with it \(applied.difference(from: actual))
            """
    }
}

extension WriterContents {
    /// The difference, for people.
    func difference(from actual: WriterContents) -> String {
        var parts: [String] = []
        if hasOwnZone != actual.hasOwnZone { parts.append("own zone: expected \(hasOwnZone)") }
        for place in Place.allCases {
            let names = Set(self[place].keys).union(actual[place].keys).sorted()
            for name in names where self[place][name] != actual[place][name] {
                func text(_ value: Int64?) -> String { value.map { "\($0)" } ?? "nothing" }
                parts.append("\(place) \(name): expected \(text(self[place][name])), is \(text(actual[place][name]))")
            }
        }
        return parts.prefix(12).joined(separator: "; ") + (parts.count > 12 ? "; and more" : "")
    }
}
