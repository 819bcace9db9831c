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
        check: { move throws(AdminError) in
            let settings = try move.settings(move.new)
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
}
