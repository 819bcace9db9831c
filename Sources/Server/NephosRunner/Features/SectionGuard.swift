package import CloudKitSchema
import CloudKitWire
import NephosDomain
package import NephosStorage

/// What a feature makes sure of when a section of its own comes to say something else: that what is stored agrees with it
/// (docs/decisions/0037).
package struct SectionGuard: Sendable {
    package let section: String
    /// Refuses a schema by which a document of the section, which stays as it is, could not be meant. It reads nothing.
    package let fits: @Sendable (Bytes, Schema) throws(AdminError) -> Void
    /// Refuses what the stored records break, or the schema. Nothing has changed yet.
    package let check: @Sendable (SectionMove) async throws(AdminError) -> Void
    /// The section says it now, and saves are judged by it: makes what is stored agree. Where it throws the section is set back.
    package let settle: @Sendable (SectionMove) async throws(AdminError) -> Void

    package init(
        of section: String, fits: @escaping @Sendable (Bytes, Schema) throws(AdminError) -> Void,
        check: @escaping @Sendable (SectionMove) async throws(AdminError) -> Void,
        settle: @escaping @Sendable (SectionMove) async throws(AdminError) -> Void
    ) {
        (self.section, self.fits, self.check, self.settle) = (section, fits, check, settle)
    }
}

extension SectionGuard {
    /// Refuses a section that names what the schema does not have, and a schema without what the section names.
    ///
    /// - Parameters:
    ///   - misfit: What a schema lacks of what a document names, for people; nil for nothing.
    ///   - settle: See ``settle``.
    package init(
        of section: String, misfit: @escaping @Sendable (Bytes, Schema) throws(AdminError) -> String?,
        settle: @escaping @Sendable (SectionMove) async throws(AdminError) -> Void = { _ throws(AdminError) in }
    ) {
        self.init(
            of: section,
            fits: { document, schema throws(AdminError) in
                guard let wrong = try misfit(document, schema) else { return }
                throw .refused(
                    "the settings need what the schema would not have: \(wrong). Nothing was changed: import settings without it first."
                )
            },
            check: { move throws(AdminError) in
                guard let document = move.new, let wrong = try misfit(document, move.schema) else { return }
                throw .refused("\(wrong). Nothing was changed.")
            }, settle: settle)
    }
}

/// That a section of an environment becomes another, or stays.
package struct SectionMove: Sendable {
    package let administration: Administration
    package let store: any TenantStore
    /// As it was; nil where there was none, or where nobody knows what holds of it.
    package let before: SectionRow?
    /// nil where there is none.
    package let old, new: Bytes?
    /// As it is afterwards.
    package let schema: Schema
    /// Shows how far it is.
    package let progress: @Sendable (String) -> Void
}

extension Administration {
    /// Changes sections, unless features find that what is stored breaks what they are to say: nothing changes then.
    ///
    /// - Parameters:
    ///   - documents: What becomes of sections by name; nil for those that go. Others stay.
    ///   - schema: As it is afterwards.
    ///   - progress: Shows how far a look at what is stored is.
    ///   - commit: Makes the change, unless the catalog is of another version than this; nil for any.
    package func changing<Answer>(
        _ documents: [String: Bytes?], of store: any TenantStore, schema: Schema,
        progress: @escaping @Sendable (String) -> Void, commit: (Int64?) async throws(AdminError) -> Answer
    ) async throws(AdminError) -> Answer {
        let catalog = try read(store).catalog
        let moves = moves(to: documents, of: store, from: catalog, schema, progress)
        for (guarding, move) in moves { try await guarding.check(move) }
        // What was looked at is what is changed.
        let answer = try await commit(moves.isEmpty ? nil : catalog.version)
        do throws(AdminError) {
            for (guarding, move) in moves { try await guarding.settle(move) }
        } catch {
            try await setBack(moves, of: store, because: error)
            throw error
        }
        return answer
    }

    /// Refuses a schema by which the sections of an environment, which stay as they are, could not be meant.
    package func check(_ schema: Schema, by catalog: Catalog) throws(AdminError) {
        for guarding in guards {
            guard let section = catalog.sections[guarding.section] else { continue }
            try guarding.fits(section.document, schema)
        }
    }

    /// ``commit(to:_:_:)``, unless the catalog has moved on from a version.
    package func commit<Answer: Sendable>(
        to store: any TenantStore, at version: Int64?, _ set: ReadSet,
        _ decide: @escaping @Sendable (Reading) throws -> Decision<Answer>
    ) async throws(AdminError) -> Answer {
        try await commit(to: store, set) { reading in
            guard version == nil || reading.catalog.version == version else {
                throw AdminError.refused(
                    "Somebody else has changed the schema, settings or credentials meanwhile. Nothing was changed: try again."
                )
            }
            return try decide(reading)
        }
    }

    /// Makes what is stored agree with sections that were changed, where nothing is stored that could not.
    ///
    /// - Parameter catalog: As it was before.
    package func settle(
        _ documents: [String: Bytes?], of store: any TenantStore, from catalog: Catalog
    ) async throws(AdminError) {
        let schema = try read(store).catalog.schema
        for (guarding, move) in moves(to: documents, of: store, from: catalog, schema, { _ in }) {
            try await guarding.settle(move)
        }
    }

    private func moves(
        to documents: [String: Bytes?], of store: any TenantStore, from catalog: Catalog, _ schema: Schema,
        _ progress: @escaping @Sendable (String) -> Void
    ) -> [(by: SectionGuard, move: SectionMove)] {
        guards.compactMap { guarding in
            guard let new = documents[guarding.section] else { return nil }
            let before = catalog.sections[guarding.section]
            guard before != nil || new != nil else { return nil }
            let move = SectionMove(
                administration: self, store: store, before: before, old: before?.document, new: new, schema: schema,
                progress: progress)
            return (guarding, move)
        }
    }

    /// Gives sections back what they said before, unless somebody else has changed them since; and makes what is stored agree with that.
    private func setBack(
        _ moves: [(by: SectionGuard, move: SectionMove)], of store: any TenantStore, because reason: AdminError
    ) async throws(AdminError) {
        let known = try read(store).catalog.knownSections
        let change: ChangeSections
        do throws(Refusal) {
            change = try ChangeSections(
                Dictionary(uniqueKeysWithValues: moves.map { ($0.by.section, $0.move.old) }), of: known,
                by: inputs.author, now: inputs.now())
        } catch { throw AdminError(error) }
        let new = moves.map { ($0.by.section, $0.move.new) }
        let isOurs = try await commit(to: store, change.reading) { reading -> Decision<Bool> in
            guard new.allSatisfy({ reading.catalog.sections[$0.0]?.document == $0.1 }) else {
                return .write(WriteSet(), false)
            }
            guard case .write(let set, _) = change.decide(reading) else { return .write(WriteSet(), false) }
            return .write(set, true)
        }
        guard isOurs else { return }
        for (guarding, move) in moves {
            let back = SectionMove(
                administration: self, store: store, before: nil, old: move.new, new: move.old, schema: move.schema,
                progress: move.progress)
            do throws(AdminError) { try await guarding.settle(back) } catch {
                throw .refused("\(reason)\nNor does what is stored agree with what they said before: \(error)")
            }
        }
    }
}
