import CloudKitWire
import NephosDomain
import NephosStorage

/// Refuses records that break a constraint by themselves. Where the settings cannot be read it refuses all.
struct ValueRule: RecordRule {
    func concerns(_ type: Name, in catalog: Catalog) -> Bool {
        do throws(SectionFailure) {
            return try catalog.constraints(of: type)?.constraints.contains { !$0.isClaim } ?? false
        } catch {
            return true
        }
    }

    func held(_ type: Name, in catalog: Catalog) -> [HeldField] {
        // Where the settings cannot be read, nothing is saved.
        guard let constraints = try? catalog.constraints(of: type) else { return [] }
        return constraints.held.flatMap { constraint in
            constraint.fields.map { field in
                let reason = constraint.message ?? "\(field) of \(type) names a record that is not there"
                return HeldField(field, reason: reason) { fields in
                    constraint.concerns(constraints.values(in: fields))
                }
            }
        }
    }

    func refusals(_ changes: RecordChanges, _ reading: Reading) -> [Int: Refusal] {
        var refusals: [Int: Refusal] = [:]
        for (place, change) in changes.all.enumerated() {
            guard let record = change.new else { continue }
            do throws(SectionFailure) {
                guard let constraints = try changes.catalog.constraints(of: change.type) else { continue }
                if let breach = constraints.breach(in: constraints.values(in: record.fields)) {
                    refusals[place] = .constraintViolation(breach.reason)
                }
            } catch {
                refusals[place] = .badRequest(
                    "the constraints of the container cannot be read by this server: \(error)")
            }
        }
        return refusals
    }
}
