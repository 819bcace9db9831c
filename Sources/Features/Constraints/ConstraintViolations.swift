import CloudKitWire
import NephosRunner
import NephosStorage

/// The stored records that break constraints.
struct ConstraintViolations {
    /// The number of records listed as examples for a constraint.
    private static let examplesMax = 10

    private struct Violation {
        let constraint: Constraint
        let type: Name
        var count = 0
        var examples: [String] = []
    }

    private struct Stretch {
        let start, end: Int64
        let name: String
    }

    private var found: [Int64: Violation] = [:]
    /// The number of records examined, by type.
    private var looked: [Name: Int] = [:]
    private var places: [Rivals: [String]] = [:]
    private var counts: [Rivals: Int] = [:]
    private var stretches: [Rivals: [Stretch]] = [:]
    private var claims: [Int64: (constraint: Constraint, type: Name)] = [:]

    mutating func look(_ count: Int, _ type: Name) { looked[type, default: 0] += count }

    mutating func add(_ constraint: Constraint, _ type: Name, _ record: RecordRow) {
        add(constraint, type, record.name.text)
    }

    private mutating func add(_ constraint: Constraint, _ type: Name, _ name: String, count: Int = 1) {
        var violation = found[constraint.id] ?? Violation(constraint: constraint, type: type)
        violation.count += count
        if violation.examples.count < Self.examplesMax { violation.examples.append(name) }
        found[constraint.id] = violation
    }

    /// Adds the claim of a record, before anything is written.
    mutating func add(_ claim: Claim, of constraint: Constraint, _ type: Name, _ record: RecordRow) {
        claims[constraint.id] = (constraint, type)
        switch claim.kind {
        case .place(let most):
            counts[claim.rivals, default: 0] += 1
            if counts[claim.rivals, default: 0] > most { add(constraint, type, record.name.text) }
        case .stretch(let start, let end):
            stretches[claim.rivals, default: []].append(Stretch(start: start, end: end, name: record.name.text))
        }
    }

    /// Finds overlapping intervals, once all were added.
    mutating func addRivals() {
        for (rivals, stretches) in stretches {
            guard let (constraint, type) = claims[rivals.constraint] else { continue }
            var last = Int64.min
            for stretch in stretches.sorted(by: { ($0.start, $0.name) < ($1.start, $1.name) }) {
                if stretch.start < last { add(constraint, type, stretch.name) }
                last = max(last, stretch.end)
            }
        }
        stretches = [:]
    }

    /// - Parameter nothingChanged: Whether the constraints never took effect.
    func refuse(nothingChanged: Bool) throws(AdminError) {
        guard !found.isEmpty else { return }
        let lines = found.values.sorted { $0.constraint.place < $1.constraint.place }.map { violation in
            let names =
                violation.examples.sorted().joined(separator: ", ")
                + (violation.count > violation.examples.count ? ", …" : "")
            let fields = violation.constraint.fields.map(\.text).joined(separator: ", ")
            return
                "  \(violation.constraint.place) \(violation.constraint.word)\(fields.isEmpty ? "" : " of \(fields)"): "
                + "\(violation.count) of \(looked[violation.type] ?? 0) records of \(violation.type) violate it: \(names)"
        }
        let end =
            nothingChanged
            ? "Nothing was changed."
            : "They were saved in the meantime; the previous constraints were restored."
        throw .refused((["stored records violate constraints:"] + lines + [end]).joined(separator: "\n"))
    }
}
