import Audience
import CloudKitSchema
import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

extension SchemaMove {
    /// Refuses a schema, or settings, with which everybody could read flags that name persons.
    func checkFlags() throws(AdminError) {
        guard let name = flagType, let type = before.types[name], schema.isWorldReadable(name) else { return }
        let old = before.sections[Flags.name].flatMap { Self.flagType(of: $0.document) }
        // Such flags can exist already; then nothing else must be refused because of them.
        if old == name, before.schema.isWorldReadable(name) { return }
        var named: [String] = []
        for database in 1...before.head.lanes {
            try administration.forEachRecord(of: type.row.number, in: database, of: store) { record in
                if Self.namesPersons(record) { named.append(record.name.excerpt) }
            }
        }
        guard let first = named.first else { return }
        let rest = named.count > 1 ? " and \(named.count - 1) more" : ""
        throw .refused(
            "Everybody could read flags with rules that name persons: \(first)\(rest). Nothing was changed: name roles in these rules, or revoke READ on \(name) from _world."
        )
    }

    /// The type whose records are flags after the change; nil if there are none, or if the settings are those of a newer server.
    private var flagType: Name? {
        (documents[Flags.name] ?? before.sections[Flags.name]?.document).flatMap { Self.flagType(of: $0) }
    }

    private static func flagType(of document: Bytes) -> Name? {
        do throws(SectionFailure) {
            return (try CatalogSection.flags.anyValue(of: document) as? FlagSettings)?.type
        } catch {
            return nil
        }
    }

    private static func namesPersons(_ record: RecordRow) -> Bool {
        do throws(FlagFailure) { return try Flag(record).namesPersons } catch { return false }
    }
}

extension Schema {
    fileprivate func isWorldReadable(_ type: Name) -> Bool {
        self[type: type]?[rightsOf: Schema.BuiltInRole.world].contains(.read) ?? false
    }
}
