import CloudKitSchema
package import CloudKitWire
import NephosDomain
package import NephosStorage

extension RecordType {
    /// Fields of the schema, without those that every record has.
    ///
    /// - Parameter names: The names of the fields; empty for all, in order.
    /// - Throws: ``Failure`` for the first name that no such field has; it names those that there are.
    package func fields(named names: [Name]) throws(Failure) -> [FieldRow] {
        let own = fields.values.filter { Schema.SystemField(name: $0.name) == nil }.sorted { $0.name < $1.name }
        var found: [FieldRow] = []
        for name in names {
            guard let field = own.first(where: { $0.name == name }) else {
                let known = own.map(\.name.text).joined(separator: ", ")
                throw Failure(
                    "\(row.name) has no field \(name.excerpt). It has: \(known). Pass fields one after the other, without commas.",
                    kind: .wrongUsage)
            }
            found.append(field)
        }
        return names.isEmpty ? own : found
    }
}

extension Administration {
    /// - Throws: As ``NephosStorage/RecordType/fields(named:)``, and ``AdminError/noType(_:_:)``.
    package func checkFields(_ names: [Name], of type: Name, in tenant: Tenant) throws {
        guard !names.isEmpty else { return }
        guard let known = try read(try store(tenant)).catalog.types[type] else { throw AdminError.noType(type, tenant) }
        _ = try known.fields(named: names)
    }
}
