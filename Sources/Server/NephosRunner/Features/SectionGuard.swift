package import CloudKitSchema
import CloudKitWire
import NephosDomain
package import NephosStorage

/// Ensures, when the document of a feature's section changes, that stored data agrees with it (docs/decisions/0037).
package struct SectionGuard: Sendable {
    package let section: String
    /// Refuses a change that the stored records violate. Nothing has changed yet.
    package let check: @Sendable (SectionMove) async throws(AdminError) -> Void
    /// Called after the section has changed and saves follow it: makes stored data agree with it. If it throws, the section is
    /// restored.
    package let settle: @Sendable (SectionMove) async throws(AdminError) -> Void

    package init(
        of section: String,
        check: @escaping @Sendable (SectionMove) async throws(AdminError) -> Void = { _ throws(AdminError) in },
        settle: @escaping @Sendable (SectionMove) async throws(AdminError) -> Void
    ) {
        (self.section, self.check, self.settle) = (section, check, settle)
    }
}

/// A change of a section of an environment.
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

/// A schema that an environment is about to get, with the sections that change along with it.
package struct SchemaMove: Sendable {
    package let administration: Administration
    package let store: any TenantStore
    /// The catalog before the change.
    package let before: Catalog
    /// The new documents by section name; nil for sections that are removed. Others stay.
    package let documents: [String: Bytes?]
    package let schema: Schema
}

extension Administration {
    /// Refuses a schema that stored records forbid, as features know (``Feature/checkSchema``).
    ///
    /// - Parameter documents: Of the sections that change along with it.
    package func checkRecords(
        of store: any TenantStore, by schema: Schema, _ documents: [String: Bytes?], from catalog: Catalog
    ) throws(AdminError) {
        let move = SchemaMove(
            administration: self, store: store, before: catalog, documents: documents, schema: schema)
        for feature in features { try feature.checkSchema(move) }
    }

    /// Changes sections, unless the schema lacks what the new documents use, or features find that stored data violates them; nothing
    /// changes then.
    ///
    /// - Parameters:
    ///   - documents: The new documents by section name; nil for sections to remove. Others stay.
    ///   - catalog: The catalog from which they were made.
    ///   - schema: The schema after the change; nil if it stays.
    ///   - progress: Reports progress of the check of stored data.
    ///   - commit: Makes the change, unless the catalog's version differs from this one.
    package func changing<Answer>(
        _ documents: [String: Bytes?], from catalog: Catalog, of store: any TenantStore, schema: Schema? = nil,
        progress: @escaping @Sendable (String) -> Void, commit: (Int64) async throws(AdminError) -> Answer
    ) async throws(AdminError) -> Answer {
        let schema = schema ?? catalog.schema
        try check(documents, by: schema, catalog.knownSections)
        try checkRecords(of: store, by: schema, documents, from: catalog)
        let moves = moves(to: documents, of: store, from: catalog, schema, progress)
        for (guarding, move) in moves { try await guarding.check(move) }
        // Changes exactly the version that was compared and checked, so that no other change is lost.
        let answer = try await commit(catalog.version)
        do throws(AdminError) {
            for (guarding, move) in moves { try await guarding.settle(move) }
        } catch {
            try await setBack(moves, of: store, because: error)
            throw error
        }
        return answer
    }

    /// Refuses documents that use what a schema does not have.
    private func check(
        _ documents: [String: Bytes?], by schema: Schema, _ known: [any AnyCatalogSection]
    ) throws(AdminError) {
        for section in known {
            guard let document = documents[section.name] ?? nil else { continue }
            for use in try uses(of: section, document) {
                guard let lack = use.lack(in: schema) else { continue }
                let place = use.path.isEmpty ? section.name : "\(section.name).\(use.path)"
                throw .refused(
                    "\(place): \(lack). Nothing was changed: correct the settings, or first change the schema with nephos schema import and nephos schema deploy."
                )
            }
        }
    }

    /// Refuses a schema without something that an environment has and its settings use, whatever feature the section belongs to
    /// (docs/decisions/0056).
    package func check(_ schema: Schema, by catalog: Catalog) throws(AdminError) {
        let old = catalog.schema
        guard !SchemaDifference(from: old, to: schema).losses.isEmpty else { return }
        for row in catalog.sections.values.sorted(by: { $0.name < $1.name }) {
            guard let section = catalog.knownSections.first(where: { $0.name == row.name }) else {
                throw .refused(
                    "no feature of this server knows which record types section \(row.name) of the settings uses. Nothing was changed."
                )
            }
            for use in try uses(of: section, row.document) {
                guard let removed = use.removed(from: old, by: schema) else { continue }
                let place = use.path.isEmpty ? "" : " (\(row.name).\(use.path))"
                throw .refused(
                    "section \(row.name) of the settings uses \(removed)\(place), which this schema does not have. Nothing was changed: add it to the schema, or first import settings that do not use it with: nephos settings import"
                )
            }
        }
    }

    private func uses(of section: any AnyCatalogSection, _ document: Bytes) throws(AdminError) -> [SchemaUse] {
        do throws(SectionFailure) { return try section.uses(of: document) } catch {
            throw .refused("section \(section.name) of the settings cannot be read: \(error)")
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
