import CloudKitWire
import NephosDomain
import NephosStorage

/// Refuses records that break a constraint by themselves. If the settings cannot be read, it refuses all.
struct ValueRule: RecordRule {
    /// The rule consists of ``check(_:in:)`` and ``held(_:in:)`` only.
    func concerns(_ type: Name, in catalog: Catalog) -> Bool { false }

    func check(_ type: Name, in catalog: Catalog) -> RecordCheck? {
        do throws(SectionFailure) {
            guard let constraints = try catalog.constraints(of: type), constraints.checkOneByOne else { return nil }
            return { fields in constraints.violation(in: fields).map { .constraintViolation($0.reason) } }
        } catch {
            return { _ in .badRequest("the constraints of the container cannot be read by this server: \(error)") }
        }
    }

    func held(_ type: Name, in catalog: Catalog) -> [HeldField] {
        // If the settings cannot be read, nothing is saved.
        guard let constraints = try? catalog.constraints(of: type) else { return [] }
        return constraints.held.flatMap { constraint in
            constraint.fields.map { field in
                let reason = constraint.message ?? "\(field) of \(type) refers to a record that does not exist"
                return HeldField(field, reason: reason) { fields in
                    constraint.concerns(constraints.values(in: fields))
                }
            }
        }
    }
}
