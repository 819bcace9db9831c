import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

extension UseCase {
    static let contentHistory = UseCase(
        "content history", .reads, abstract: "Show who changed a record of content when, and what it was.",
        discussion: "The last \(ContentChangeRow.kept) versions are kept, also of a record that was deleted.",
        .tenant, Input<String>.type, Input<String>.record, .lines(default: ContentChangeRow.kept)
    ) { call, tenant, typeName, name, limit in
        let desk = try ContentDesk(call, tenant)
        let roles = try desk.content(Name(typeName)).roles(of: try desk.type(Name(typeName)))
        let rows = try desk.versions(of: name, Name(typeName), limit: limit)
        guard !rows.isEmpty else { throw Failure("Nothing is known of a record \(name) in \(tenant).") }
        return .table(
            ["Version", "When", "State", "From", "Until", "Who"],
            rows.map { row in
                let state = row.fields.map { ContentState(ContentValues($0, roles)) }
                return [
                    "\(row.version)", row.changedAt.asDate, state?.word(at: row.changedAt).rawValue ?? "deleted",
                    state?.publishedAt.map(ISO8601.text) ?? "-", state?.until.map(ISO8601.text) ?? "-", row.author,
                ]
            })
    }

    static let contentRevert = UseCase(
        "content revert", .changes, abstract: "Make a record of content what it was in a version of its history.",
        discussion: """
            All fields of the record become what they were but for files, which stay as they are; a record that was deleted is made again, without files.

            Example:

              nephos content revert iCloud.com.example.app Chibi ghost 3
            """,
        .tenant, Input<String>.type, Input<String>.record,
        Input<Int>.argument("version", help: "Its number in the history.").refusing("A version is 1 at least.") {
            $0 > 0
        }
    ) { call, tenant, typeName, name, version in
        let type = Name(typeName)
        let desk = try ContentDesk(call, tenant)
        _ = try desk.content(type)
        let versions = try desk.versions(of: name, type, limit: ContentChangeRow.kept)
        guard let row = versions.first(where: { $0.version == version }) else {
            throw Failure(
                "No version \(version) of \(name) is kept. See: \(call.command("content history \(tenant.container) \(typeName) \(name)"))"
            )
        }
        guard let fields = row.fields else {
            throw Failure("In version \(version) \(name) was deleted: choose another, or delete it.")
        }
        let known = try desk.type(type)
        guard try desk.find(name, of: type) != nil else {
            let patch = known.patch(from: CanonicalFields.empty, to: fields)
            let save = RecordSave(name: name, type: type, old: nil, kind: .patch(patch))
            if let refusal = try await desk.administration.carryOut([save], in: tenant).first ?? nil { throw refusal }
            return .note("\(name) is there again, as in version \(version).")
        }
        let before = try await desk.administration.change("\(type.excerpt) \(name)", in: tenant) {
            try desk.record(name, of: type)
        } save: { record in
            let patch = known.patch(from: record.liveFields(of: known), to: fields)
            return patch == CanonicalFields.empty
                ? nil : RecordSave(name: name, type: type, old: record, kind: .patch(patch))
        }
        let isSame = known.patch(from: before.liveFields(of: known), to: fields) == CanonicalFields.empty
        return .note(isSame ? "\(name) is so already." : "\(name) is as it was in version \(version).")
    }
}

extension ContentDesk {
    /// What a record was, the newest first.
    fileprivate func versions(of name: String, _ type: Name, limit: Int) throws(AdminError) -> [ContentChangeRow] {
        // Records of other types may have had the name.
        let scan = ContentChangeRow.newest(of: Name(name), limit: ContentChangeRow.kept)
        var set = ReadSet()
        set.records = [ContentAnswer.key(Name(name))]
        set.ask(scan)
        let reading = try administration.read(store, set)
        let number = reading.catalog.types[type]?.row.number
        var rows = reading[scan]
        if case .record(let record)? = reading.records.first,
            let current = RecordVersions.unkept(record, after: rows.first)
        {
            rows.insert(current, at: 0)
        }
        return Array(rows.filter { $0.type == number }.prefix(limit))
    }
}

extension RecordType {
    /// What makes some fields others, as a request has it: fields that are none of the schema by now, and files, are left out.
    fileprivate func patch(from now: Bytes, to then: Bytes) -> Bytes {
        func names(in fields: Bytes) -> [Name] {
            CanonicalFields.names(in: fields).filter { name in
                self.fields[name].map { ![.asset, .assetList].contains($0.kind) } ?? false
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
