import CloudKitWire
package import NephosDomain
package import NephosRunner
package import NephosStorage

extension Administration {
    /// Who may do what with the records of a type, and why.
    ///
    /// - Parameter who: Somebody whose rights are also shown: email address of an account, or id of a key.
    /// - Throws: ``AdminError/noType(_:_:)``, ``AdminError/noAccount(_:)``.
    package func access(
        to type: String, in tenant: Tenant, who: String? = nil
    ) throws(AdminError) -> AccessTable {
        let store = try store(tenant)
        let catalog = try read(store).catalog
        guard let known = catalog.types[Name(type)] else { throw .noType(Name(type), tenant) }
        guard let who else { return AccessTable(known, of: catalog) }
        let held = try held(who, in: store).roles
        let names = catalog.roles.values.filter { held.contains($0.number) }.map(\.name).sorted()
        return AccessTable(known, of: catalog, person: names)
    }
}
