import CloudKitSchema
import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

extension SectionGuard {
    /// Looks at all records before constraints hold, so that an import that they break changes nothing. Then at all of them once more, by
    /// when every save is judged by the constraints: what they claim is written down, and who slipped in between is found.
    static let constraints = SectionGuard(
        of: Constraints.name,
        fits: { document, schema throws(AdminError) in
            guard let wrong = try ConstraintSettings.read(document)?.misfit(in: schema) else { return }
            throw .refused(
                "the settings need what the schema would not have: \(wrong). Nothing was changed: import settings without this constraint first."
            )
        },
        check: { move throws(AdminError) in
            let settings = try move.settings(move.new)
            if let wrong = settings?.misfit(in: move.schema) { throw .refused("\(wrong). Nothing was changed.") }
            let work = ConstraintWork(move, section: move.old)
            let new = try work.new(settings, since: move.before)
            var breaches = Breaches()
            try work.forEachRecord(of: new) { constraints, page, database throws(AdminError) in
                try work.judge(constraints, page, in: database, &breaches)
            }
            breaches.addRivals()
            try breaches.refuse(nothingChanged: true)
            // What an import that died has left of them would be in people's way from the first moment. Nobody looks at it until then.
            try await work.removeClaims(of: new, butOf: try move.settings(move.old)?.all ?? [])
        },
        settle: { move throws(AdminError) in
            let settings = try move.settings(move.new)
            let work = ConstraintWork(move, section: move.new)
            let new = try work.new(settings, since: move.before)
            if !new.isEmpty {
                var breaches = Breaches()
                // First what nobody holds: it would be in the way. Every save that has not seen the constraints is over by then.
                try await work.removeStale(new)
                for constraints in new where constraints.hasClaims { try await work.establish(constraints, &breaches) }
                try work.forEachRecord(of: new) { constraints, page, database throws(AdminError) in
                    try work.judgeValues(constraints, page, in: database, &breaches)
                }
                try breaches.refuse(nothingChanged: false)
            }
            try await work.keep(settings?.all ?? [], forgetting: try move.settings(move.old)?.all ?? [])
        })
}

extension SectionMove {
    fileprivate func settings(_ document: Bytes?) throws(AdminError) -> ConstraintSettings? {
        guard let document else { return nil }
        return try ConstraintSettings.read(document)
    }
}

extension ConstraintSettings {
    fileprivate static func read(_ document: Bytes) throws(AdminError) -> ConstraintSettings? {
        do throws(SectionFailure) {
            return try CatalogSection.constraints.anyValue(of: document) as? ConstraintSettings
        } catch {
            throw .refused("constraints: \(error)")
        }
    }

    /// What a schema does not have of what constraints name, or what its fields cannot keep: the first of it, with the place of the
    /// constraint; nil where nothing is wrong.
    fileprivate func misfit(in schema: Schema) -> String? {
        for (name, constraints) in types.sorted(by: { $0.key < $1.key }) {
            guard let type = schema[type: name] else { return "constraints.\(name): there is no record type \(name)" }
            for constraint in constraints.constraints {
                for field in constraint.names {
                    guard let problem = constraint.problem(with: field, in: type) else { continue }
                    return "constraints.\(constraint.place): \(problem)"
                }
            }
        }
        return nil
    }
}

extension Constraint {
    fileprivate func problem(with field: Name, in type: Schema.RecordType) -> String? {
        guard let known = type[field: field] else { return "\(type.name) has no field \(field)" }
        guard !known.type.isEncrypted else { return "\(field) is encrypted, and nobody can look into it" }
        return misfit(field, known.type.kind).map { "\(word) needs \($0), and \(field) is \(known.type.kind.tag)" }
    }

    /// What kind of field it needs, where this is none; nil where it fits.
    fileprivate func misfit(_ field: Name, _ kind: FieldType) -> String? {
        func fits(_ isFit: Bool, _ wanted: String) -> String? { isFit ? nil : wanted }
        let scalar = kind.element ?? kind
        if case .noOverlap(let start, let end, _) = rule, field == start || field == end {
            return fits(kind == .timestamp || kind == .int64, "TIMESTAMP or INT64 for start and end")
        }
        guard fields.contains(field) else { return fits(!kind.isList, "no list in where") }
        switch rule {
        case .required: return nil
        case .notEmpty: return fits(kind.isList || kind == .string || kind == .bytes, "STRING, BYTES or a list")
        case .boolean: return fits(kind == .int64, "INT64")
        case .oneOf:
            return fits([.string, .int64, .double].contains(scalar), "STRING, INT64, DOUBLE or a list of these")
        case .range:
            return fits([.int64, .double, .timestamp].contains(scalar), "INT64, DOUBLE, TIMESTAMP or a list of these")
        case .length: return fits(kind.isList || kind == .string || kind == .bytes, "STRING, BYTES or a list")
        case .localized: return fits(kind == .string, "STRING")
        case .exists: return fits(scalar == .reference, "REFERENCE or a list of these")
        case .atMost, .noOverlap:
            return fits(
                [.string, .int64, .double, .timestamp, .reference, .bytes].contains(kind),
                "STRING, INT64, DOUBLE, TIMESTAMP, REFERENCE or BYTES")
        }
    }
}
