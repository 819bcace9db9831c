import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

extension Administration {
    /// Changes the trends section of an environment's settings, as an import of settings does.
    ///
    /// - Parameters:
    ///   - author: Who changes it, for people.
    ///   - change: Returns the new settings; nil if nothing changes.
    /// - Returns: Whether anything changed.
    /// - Throws: ``AdminError/refused(_:)`` in production, and for settings that are not valid.
    func changeTrends(
        of tenant: Tenant, by author: String, progress: @escaping @Sendable (String) -> Void = { _ in },
        _ change: (TrendSettings, Catalog) throws(TrendFailure) -> TrendSettings?
    ) async throws(AdminError) -> Bool {
        guard tenant.environment == .development else {
            throw .refused(
                "Production gets its trends settings with nephos schema deploy: change them in development, then deploy."
            )
        }
        let store = try store(tenant)
        let catalog = try read(store).catalog
        let documents: [String: Bytes?]
        let sections: ChangeSections
        do {
            guard let new = try change(try catalog.trends(), catalog) else { return false }
            documents = [Trends.name: new.document[...]]
            sections = try ChangeSections(documents, of: catalog.knownSections, by: author, now: inputs.now())
        } catch let failure as TrendFailure {
            throw .refused(failure.sentence)
        } catch {
            throw .refused("The settings cannot be changed: \(error)")
        }
        let changed = try await changing(documents, from: catalog, of: store, progress: progress) {
            version throws(AdminError) in
            try await commit(to: store, at: version, sections.reading, sections.decide)
        }
        return !changed.isEmpty
    }

    /// The state of everything that the settings of an environment name under trends, and of imported sources.
    func trackers(of tenant: Tenant) throws -> [TrackerListing] {
        let store = try store(tenant)
        let list = ListTrackers(settings: try read(store).catalog.trends(), tenant: tenant)
        return list.list(try read(store, list.reading))
    }
}

extension TrendFailure {
    /// As a sentence, for people.
    var sentence: String { description.prefix(1).uppercased() + description.dropFirst() + "." }
}
