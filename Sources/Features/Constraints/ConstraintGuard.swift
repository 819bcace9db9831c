import CloudKitSchema
import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

extension SectionGuard {
    /// Checks all records before constraints take effect, so that an import whose constraints are broken changes nothing. When
    /// every save is checked against the constraints, checks all records again: their claims are written, and records saved in
    /// between are found.
    static let constraints = SectionGuard(
        of: Constraints.name,
        fits: { document, schema throws(AdminError) in
            guard let wrong = try ConstraintSettings.read(document)?.mismatch(in: schema) else { return }
            throw .refused(
                "the settings name what this schema does not have: \(wrong). Nothing was changed: import settings without this constraint first."
            )
        },
        check: { move throws(AdminError) in
            let settings = try move.settings(move.new)
            if let wrong = settings?.mismatch(in: move.schema) { throw .refused(Self.unfit(wrong)) }
            let work = ConstraintWork(move, section: move.old)
            let new = try work.new(settings, since: move.before)
            var breaches = ConstraintViolations()
            try work.forEachRecord(of: new) { constraints, page, database throws(AdminError) in
                try work.check(constraints, page, in: database, &breaches)
            }
            breaches.addRivals()
            try breaches.refuse(nothingChanged: true)
            // Claims left by an import that did not finish would conflict immediately. They are not used until then.
            try await work.removeClaims(of: new, butOf: try move.settings(move.old)?.all ?? [])
        },
        settle: { move throws(AdminError) in
            let settings = try move.settings(move.new)
            let work = ConstraintWork(move, section: move.new)
            let new = try work.new(settings, since: move.before)
            if !new.isEmpty {
                var breaches = ConstraintViolations()
                // Stale claims are removed first, as they would conflict. By then, every save that has not seen the constraints
                // has ended.
                try await work.removeStale(new)
                for constraints in new where constraints.hasClaims { try await work.establish(constraints, &breaches) }
                try work.forEachRecord(of: new) { constraints, page, database throws(AdminError) in
                    try work.checkValues(constraints, page, in: database, &breaches)
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

    /// The first thing that a schema lacks for the constraints, or a field of a wrong kind, with the place of the constraint; nil
    /// if all is well.
    fileprivate func mismatch(in schema: Schema) -> String? {
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
        guard !known.type.isEncrypted else { return "\(field) is encrypted, so the server cannot check it" }
        return mismatch(field, known.type.kind).map { "\(word) needs \($0), and \(field) is \(known.type.kind.tag)" }
    }

    /// The required kind of field, if this one is not suitable; nil if it is.
    fileprivate func mismatch(_ field: Name, _ kind: FieldType) -> String? {
        func fits(_ isFit: Bool, _ wanted: String) -> String? { isFit ? nil : wanted }
        let scalar = kind.element ?? kind
        if case .noOverlap(let start, let end, _) = rule, field == start || field == end {
            return fits(kind == .timestamp || kind == .int64, "TIMESTAMP or INT64 for start and end")
        }
        guard fields.contains(field) else { return fits(!kind.isList, "a field in where that is not a list") }
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
