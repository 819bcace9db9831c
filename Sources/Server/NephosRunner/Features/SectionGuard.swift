package import CloudKitSchema
import CloudKitWire
import NephosDomain
package import NephosStorage

/// What a feature makes sure of when a section of its own comes to say something else: that what is stored agrees with it
/// (docs/decisions/0037).
package struct SectionGuard: Sendable {
    package let section: String
    /// Refuses what the stored records break, or the schema. Nothing has changed yet.
    package let check: @Sendable (SectionMove) async throws(AdminError) -> Void
    /// The section says it now, and saves are judged by it: makes what is stored agree. Where it throws the section is set back.
    package let settle: @Sendable (SectionMove) async throws(AdminError) -> Void

    package init(
        of section: String, check: @escaping @Sendable (SectionMove) async throws(AdminError) -> Void,
        settle: @escaping @Sendable (SectionMove) async throws(AdminError) -> Void
    ) {
        (self.section, self.check, self.settle) = (section, check, settle)
    }
}

/// That a section of an environment becomes another, or stays.
package struct SectionMove: Sendable {
    package let administration: Administration
    package let store: any TenantStore
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
    ///   - commit: Makes the change.
    package func changing<Answer>(
        _ documents: [String: Bytes?], of store: any TenantStore, schema: Schema,
        progress: @escaping @Sendable (String) -> Void, commit: () async throws(AdminError) -> Answer
    ) async throws(AdminError) -> Answer {
        let moves = moves(to: documents, of: store, from: try read(store).catalog, schema, progress)
        for (guarding, move) in moves { try await guarding.check(move) }
        let answer = try await commit()
        do throws(AdminError) {
            for (guarding, move) in moves { try await guarding.settle(move) }
        } catch {
            try await setBack(moves.map { ($0.by.section, $0.move.old) }, of: store)
            throw error
        }
        return answer
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
            let old = catalog.sections[guarding.section]?.document
            guard old != nil || new != nil else { return nil }
            let move = SectionMove(
                administration: self, store: store, old: old, new: new, schema: schema, progress: progress)
            return (guarding, move)
        }
    }

    /// Gives sections back what they said before.
    private func setBack(_ sections: [(name: String, document: Bytes?)], of store: any TenantStore)
        async throws(AdminError)
    {
        let known = try read(store).catalog.knownSections
        let change: ChangeSections
        do throws(Refusal) {
            change = try ChangeSections(
                Dictionary(uniqueKeysWithValues: sections.map { ($0.name, $0.document) }), of: known, by: inputs.author,
                now: inputs.now())
        } catch { throw AdminError(error) }
        _ = try await commit(to: store, change.reading, change.decide)
    }
}
