package import CloudKitSchema
import CloudKitWire
import NephosDomain
package import NephosStorage

/// Ensures, when the document of a feature's section changes, that stored data agrees with it (docs/decisions/0037).
package struct SectionGuard: Sendable {
    package let section: String
    /// Refuses a schema with which the section's unchanged document would not be valid. Reads nothing.
    package let fits: @Sendable (Bytes, Schema) throws(AdminError) -> Void
    /// Refuses a change that the stored records or the schema violate. Nothing has changed yet.
    package let check: @Sendable (SectionMove) async throws(AdminError) -> Void
    /// Called after the section has changed and saves follow it: makes stored data agree with it. If it throws, the section is
    /// restored.
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
    /// Refuses a section that names something the schema does not have, and a schema without what the section names.
    ///
    /// - Parameters:
    ///   - mismatch: What a document names that a schema lacks, for people; nil for nothing.
    ///   - settle: See ``settle``.
    package init(
        of section: String, mismatch: @escaping @Sendable (Bytes, Schema) throws(AdminError) -> String?,
        settle: @escaping @Sendable (SectionMove) async throws(AdminError) -> Void = { _ throws(AdminError) in }
    ) {
        self.init(
            of: section,
            fits: { document, schema throws(AdminError) in
                guard let wrong = try mismatch(document, schema) else { return }
                throw .refused(
                    "the settings use something that the schema would lack: \(wrong). Nothing was changed: import settings without it first."
                )
            },
            check: { move throws(AdminError) in
                guard let document = move.new, let wrong = try mismatch(document, move.schema) else { return }
                throw .refused(Self.unfit(wrong))
            }, settle: settle)
    }

    /// The refusal of settings that name something which the schema does not have.
    package static func unfit(_ wrong: String) -> String {
        "\(wrong). Nothing was changed: correct the settings, or first change the schema with nephos schema import and nephos schema deploy."
    }
}

/// A change of a section of an environment, or a check of an unchanged one.
package struct SectionMove: Sendable {
    package let administration: Administration
    package let store: any TenantStore
    /// The row before the change; nil if there was none, or if it is unknown which part of it is in effect.
    package let before: SectionRow?
    /// nil if there is none.
    package let old, new: Bytes?
    /// The schema after the change.
    package let schema: Schema
    /// Reports progress.
    package let progress: @Sendable (String) -> Void
}

extension Administration {
    /// Changes sections, unless features find that stored data violates the new documents; nothing changes then.
    ///
    /// - Parameters:
    ///   - documents: The new documents by section name; nil for sections to remove. Others stay.
    ///   - schema: The schema after the change.
    ///   - progress: Reports progress of the check of stored data.
    ///   - commit: Makes the change, unless the catalog's version differs from this one; nil for any version.
    package func changing<Answer>(
        _ documents: [String: Bytes?], of store: any TenantStore, schema: Schema,
        progress: @escaping @Sendable (String) -> Void, commit: (Int64?) async throws(AdminError) -> Answer
    ) async throws(AdminError) -> Answer {
        let catalog = try read(store).catalog
        let moves = moves(to: documents, of: store, from: catalog, schema, progress)
        for (guarding, move) in moves { try await guarding.check(move) }
        // Changes exactly the version that was checked.
        let answer = try await commit(moves.isEmpty ? nil : catalog.version)
        do throws(AdminError) {
            for (guarding, move) in moves { try await guarding.settle(move) }
        } catch {
            try await setBack(moves, of: store, because: error)
            throw error
        }
        return answer
    }

    /// Refuses a schema with which the unchanged sections of an environment would not be valid.
    package func check(_ schema: Schema, by catalog: Catalog) throws(AdminError) {
        for guarding in guards {
            guard let section = catalog.sections[guarding.section] else { continue }
            try guarding.fits(section.document, schema)
        }
    }

    /// ``commit(to:_:_:)``, unless the catalog's version has changed.
    package func commit<Answer: Sendable>(
        to store: any TenantStore, at version: Int64?, _ set: ReadSet,
        _ decide: @escaping @Sendable (Reading) throws -> Decision<Answer>
    ) async throws(AdminError) -> Answer {
        try await commit(to: store, set) { reading in
            guard version == nil || reading.catalog.version == version else {
                throw AdminError.refused(
                    "The schema, settings or credentials have changed meanwhile. Nothing was saved: try again."
                )
            }
            return try decide(reading)
        }
    }

    /// Makes stored data agree with sections that were changed, when no stored data can violate them.
    ///
    /// - Parameter catalog: The catalog before the change.
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

    /// Restores the previous documents of sections, unless they have been changed again since, and makes stored data agree with them.
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
                throw .refused(
                    "\(reason)\nWhat is stored could not be returned to the previous settings either: \(error)")
            }
        }
    }
}
