import CloudKitWire
public import NephosStorage

/// Sets the sections of a tenant, in one transaction.
public struct ChangeSections: Sendable {
    private enum Change {
        /// By name; sections that are not named stay.
        case documents([String: Bytes?], [String: any AnyCatalogSection])
        /// Sections of another environment replace all that are deployed.
        case adoption([SectionRow])
    }

    private let change: Change
    private let author: String
    private let now: Milliseconds

    /// Sets some sections to documents; nil removes one.
    ///
    /// - Parameters:
    ///   - known: Those of the features.
    ///   - author: Who changes them, for people.
    /// - Throws: ``Refusal/badRequest(_:)`` if a document cannot be parsed, ``Refusal/limitExceeded(_:)`` if it is too long.
    public init(
        _ documents: [String: Bytes?], of known: [any AnyCatalogSection], by author: String, now: Milliseconds
    ) throws(Refusal) {
        let known = Dictionary(known.map { ($0.name, $0) }) { first, _ in first }
        for (name, document) in documents {
            guard let section = known[name] else { throw .badRequest("there is no section \(Name(name).excerpt)") }
            guard let document else { continue }
            guard document.count <= SectionRow.bytesMax else {
                throw .limitExceeded("section \(name) can have at most \(SectionRow.bytesMax) bytes")
            }
            do { _ = try section.anyValue(of: document) } catch {
                throw .badRequest("section \(name): \(error.description)")
            }
        }
        change = .documents(documents, known)
        (self.author, self.now) = (author, now)
    }

    /// Replaces the sections that are deployed with the schema by those of another environment.
    init(adopting other: Catalog, by author: String, now: Milliseconds) {
        change = .adoption(other.deployedSections)
        (self.author, self.now) = (author, now)
    }

    public var reading: ReadSet { ReadSet() }

    /// Returns the names of the sections that change.
    public func decide(_ reading: Reading) -> Decision<[String]> {
        var set = WriteSet()
        write(over: reading.catalog, to: &set)
        return .write(set, changed(reading.catalog))
    }

    /// The names of the sections that change in an environment with this catalog.
    func changed(_ catalog: Catalog) -> [String] { writes(catalog).compactMap { ($0.new ?? $0.old)?.sectionName } }

    /// Adds the changes of a catalog, and their history.
    func write(over catalog: Catalog, to set: inout WriteSet) {
        let writes = writes(catalog)
        set.catalog += writes
        for write in writes {
            guard let name = (write.new ?? write.old)?.sectionName else { continue }
            set.put(
                SectionChangeRow(
                    version: catalog.version + 1, name: name, document: write.new?.section?.document, changedAt: now,
                    author: author))
        }
    }

    /// The changes of a catalog, by name.
    private func writes(_ catalog: Catalog) -> [CatalogWrite] {
        switch change {
        case .documents(let documents, let known):
            documents.sorted { $0.key < $1.key }.compactMap { name, document in
                let section = known[name]
                return catalog.write(name, document, isDeployed: section?.isDeployed ?? false, now)
            }
        case .adoption(let rows):
            catalog.deployedSections.filter { old in !rows.contains { $0.name == old.name } }
                .compactMap { catalog.write($0.name, nil, isDeployed: true, now) }
                + rows.compactMap { catalog.write($0.name, $0.document, isDeployed: true, now) }
        }
    }
}

extension Catalog {
    /// The sections that are deployed to production with the schema, by name.
    var deployedSections: [SectionRow] {
        sections.values.filter(\.isDeployed).sorted { $0.name < $1.name }
    }

    /// - Returns: nil if nothing changes.
    fileprivate func write(
        _ name: String, _ document: Bytes?, isDeployed: Bool, _ now: Milliseconds
    ) -> CatalogWrite? {
        let old = sections[name]
        guard let document else { return old.map { CatalogWrite(old: .section($0), new: nil) } }
        if let old, old.document == document, old.isDeployed == isDeployed { return nil }
        let new = SectionRow(
            name: name, document: document, isDeployed: isDeployed, version: (old?.version ?? 0) + 1, changedAt: now)
        return CatalogWrite(old: old.map { .section($0) }, new: .section(new))
    }
}

extension CatalogRow {
    fileprivate var section: SectionRow? { if case .section(let row) = self { row } else { nil } }
    fileprivate var sectionName: String? { section?.name }
}
