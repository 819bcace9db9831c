import CloudKitSchema
import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

extension SectionGuard {
    /// Refuses settings with missing fields: records of such a type would be visible only to those who may write them.
    static let content = SectionGuard(
        of: Content.name,
        mismatch: { document, schema throws(AdminError) in try ContentSettings.read(document).mismatch(in: schema) },
        settle: { move throws(AdminError) in
            // Records saved before their type was content begin and end, too. A server schedules that.
            let now = move.administration.inputs.now()
            try await move.administration.commit(to: move.store, ReadSet()) { _ in
                var set = WriteSet()
                set.ask(for: Content.name, at: now)
                set.ask(for: Content.picks, at: now)
                return .write(set, ())
            }
        })
}

extension ContentSettings {
    fileprivate static func read(_ document: Bytes) throws(AdminError) -> ContentSettings {
        do throws(SectionFailure) {
            return try CatalogSection.content.anyValue(of: document) as? ContentSettings ?? ContentSettings()
        } catch {
            throw .refused("content: \(error)")
        }
    }

    /// The first thing in the settings that a schema lacks; nil if it has all.
    func mismatch(in schema: Schema) -> String? {
        for (name, content) in types.sorted(by: { $0.key < $1.key }) {
            guard let type = schema[type: name] else { return "content.\(name): there is no record type \(name)" }
            for (role, field) in content.fields.sorted(by: { $0.key < $1.key }) {
                let place = "content.\(name).\(role.rawValue)"
                guard let known = type[field: field] else { return "\(place): \(name) has no field \(field)" }
                guard !known.type.isEncrypted else {
                    return "\(place): \(field) is encrypted, so the server cannot read it"
                }
                guard role.kinds.contains(known.type.kind) else {
                    let wanted = role.kinds.map(\.tag).joined(separator: " or ")
                    return "\(place): \(role.rawValue) needs \(wanted), but \(field) is \(known.type.kind.tag)"
                }
            }
        }
        return nil
    }
}
