/// Where a writer keeps records.
enum Place: String, CaseIterable, Sendable {
    /// The public database: operations stand alone, also within one request.
    case commons
    /// The default zone of the private database, the same.
    case home
    /// A zone that all writers of one person share: requests are atomic.
    case together
    /// A zone of one writer alone, which comes and goes: requests are atomic.
    case own

    var isAtomic: Bool { self == .together || self == .own }
}

/// All that a writer has stored: its own zone, if it is there, and the number that each of its records carries.
struct Belongings: Equatable, Sendable {
    var hasOwnZone = false
    var records: [Place: [String: Int64]] = [:]

    subscript(place: Place) -> [String: Int64] {
        get { records[place] ?? [:] }
        set { records[place] = newValue.isEmpty ? nil : newValue }
    }

    func after(_ change: Change) -> Belongings {
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

/// What one request does to what a writer has.
enum Change: Equatable, Sendable {
    /// Numbers that records get; nil deletes.
    case records(Place, [String: Int64?])
    case makeZone
    case dropZone
}

/// One request, as the client knows it.
struct Attempt: Sendable {
    var change: Change
    /// When it was acknowledged, by CLOCK_MONOTONIC in nanoseconds; nil when no answer came.
    var acknowledged: UInt64?
    /// When it was sent.
    var sent: UInt64
}

/// What must be there at some moment: everything that was acknowledged, and perhaps what was under way.
struct Expectation: Sendable {
    var acknowledged: Belongings
    var underWay: Change?

    /// Why `actual` cannot follow; nil when it can. Of an atomic request all of it is there, or nothing.
    func fault(of actual: Belongings) -> String? {
        if actual == acknowledged { return nil }
        guard let underWay else { return "nothing was under way, yet \(acknowledged.difference(from: actual))" }
        let applied = acknowledged.after(underWay)
        if actual == applied { return nil }
        if case .records(let place, let values) = underWay, !place.isAtomic {
            // Each operation stands alone: it is there, or it is not.
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

extension Belongings {
    /// What differs, for people.
    func difference(from actual: Belongings) -> String {
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
