import CloudKitSchema
package import CloudKitWire
import NephosDomain
package import NephosStorage

extension RecordType {
    /// The names of the fields without those that every record has, in order.
    package var ownFields: [Name] {
        fields.values.filter { Schema.SystemField(name: $0.name) == nil }.map(\.name).sorted()
    }

    /// - Throws: ``Failure`` for the first of some fields that the type does not have.
    package func require(_ names: [Name]) throws(Failure) {
        for name in names where fields[name] == nil && !Self.isSystem(name) { throw noField(name) }
    }

    package func noField(_ name: Name) -> Failure {
        let known = ownFields.map(\.text).joined(separator: ", ")
        return Failure(
            "\(row.name) has no field \(name.excerpt). It has: \(known). Pass fields one after the other, without commas.",
            kind: .wrongUsage)
    }

    private static func isSystem(_ name: Name) -> Bool {
        Schema.SystemField.allCases.contains { $0.name == name || $0.apiName == name.text }
    }
}

extension Administration {
    /// - Throws: ``Failure`` for the first of some fields that a type does not have; ``AdminError/noType(_:_:)``.
    package func requireFields(_ names: [Name], of type: Name, in tenant: Tenant) throws {
        guard !names.isEmpty else { return }
        guard let known = try read(try store(tenant)).catalog.types[type] else { throw AdminError.noType(type, tenant) }
        try known.require(names)
    }
}
