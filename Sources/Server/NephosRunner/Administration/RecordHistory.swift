package import CloudKitWire
import NephosDomain
package import NephosStorage

/// Earlier versions of records of a type, for an operator to view and restore (``NephosDomain/RecordVersions``).
package struct RecordHistory<Keeper: VersionKeeper>: Sendable {
    package typealias Row = DatedVersion<Keeper>

    private let administration: Administration
    private let tenant: Tenant
    private let type: RecordType
    /// The command with which an operator lists the versions of a record, given its name.
    private let showing: @Sendable (String) -> String

    package init(
        of keeper: Keeper.Type, _ type: RecordType, in tenant: Tenant, by administration: Administration,
        showing: @escaping @Sendable (String) -> String
    ) {
        (self.administration, self.tenant, self.type, self.showing) = (administration, tenant, type, showing)
    }

    /// Newest first. - Throws: If no version of the record is known.
    package func versions(of name: String, limit: Int) throws -> [Row] {
        let rows = try all(of: name)
        guard !rows.isEmpty else { throw Failure("\(tenant) keeps no history of a record \(name). Check the name.") }
        return Array(rows.prefix(limit))
    }

    /// Restores a record to a version, except for its files; a deleted record is created again, without files.
    ///
    /// - Parameter kept: Fields that stay as they are; a record that is created again lacks them.
    /// - Returns: What was done, for the operator.
    package func revert(_ name: String, to version: Int, keeping kept: [Name] = []) async throws -> String {
        guard let row = try all(of: name).first(where: { $0.version == version }) else {
            throw Failure("No version \(version) of \(name) is kept. See: \(showing(name))")
        }
        guard let fields = row.fields else {
            throw Failure("In version \(version), \(name) was deleted: choose another version, or delete it.")
        }
        guard try find(name) != nil else {
            let patch = type.patch(from: CanonicalFields.empty, to: fields, without: kept)
            let save = RecordSave(name: name, type: type.row.name, old: nil, kind: .patch(patch))
            if let refusal = try await administration.carryOut([save], in: tenant).first ?? nil { throw refusal }
            return "\(name) is restored as in version \(version)."
        }
        let before = try await administration.change("\(type.row.name.excerpt) \(name)", in: tenant) {
            guard let record = try find(name) else { throw Failure("There is no record \(name) in \(tenant).") }
            return record
        } save: { record in
            let patch = type.patch(from: record.liveFields(of: type), to: fields, without: kept)
            return patch == CanonicalFields.empty
                ? nil : RecordSave(name: name, type: type.row.name, old: record, kind: .patch(patch))
        }
        let isSame =
            type.patch(from: before.liveFields(of: type), to: fields, without: kept) == CanonicalFields.empty
        return isSame ? "\(name) is already as in version \(version)." : "\(name) is now as in version \(version)."
    }

    private func all(of name: String) throws(AdminError) -> [Row] {
        // Records of other types may have used the name.
        let scan = Row.newest(of: Name(name), limit: Row.kept)
        var set = ReadSet()
        set.records = [Self.key(name)]
        set.ask(scan)
        let reading = try administration.read(administration.store(tenant), set)
        var rows = reading[scan]
        if case .record(let record)? = reading.records.first,
            let current = RecordVersions.unkept(record, after: rows.first)
        {
            rows.insert(current, at: 0)
        }
        return rows.filter { $0.type == type.row.number }
    }

    private func find(_ name: String) throws(AdminError) -> RecordRow? {
        var set = ReadSet()
        set.records = [Self.key(name)]
        guard case .record(let record)? = try administration.read(administration.store(tenant), set).records.first,
            record.type == type.row.number
        else { return nil }
        return record
    }

    private static func key(_ name: String) -> RecordKey {
        RecordKey(zone: .name(RecordVersions<Row>.database, defaultZoneName), name: Name(name))
    }
}

extension RecordType {
    /// The change of fields from one version to another, in the form of a request. Fields that the schema no longer has, files
    /// and `others` are left out.
    fileprivate func patch(from now: Bytes, to then: Bytes, without others: [Name]) -> Bytes {
        func names(in fields: Bytes) -> [Name] {
            CanonicalFields.names(in: fields).filter { name in
                !others.contains(name)
                    && self.fields[name].map { ![.asset, .assetList].contains($0.kind) } ?? false
            }
        }
        var json = JSONWriter()
        json.beginObject()
        let kept = names(in: then)
        for name in kept {
            guard let value = CanonicalFields.value(of: name, in: then),
                value != CanonicalFields.value(of: name, in: now)
            else { continue }
            json.key(named: name)
            json.raw(value)
        }
        for name in names(in: now) where !kept.contains(name) {
            json.key(named: name)
            json.beginObject()
            json.endObject()
        }
        json.endObject()
        return json.bytes[...]
    }
}
