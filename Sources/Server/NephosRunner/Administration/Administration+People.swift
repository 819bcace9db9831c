package import CloudKitWire
package import NephosStorage

/// The people that an operator names.
extension Administration {
    /// The account of an address. - Throws: ``AdminError/noAccount(_:)``.
    package func account(email: String) throws(AdminError) -> AccountRow {
        let email = try Validation.email(email)
        let row = try stored { () throws(StorageError) in try engine.account(email: email) }
        guard let row else { throw .noAccount(email) }
        return row
    }

    /// The user that a person or a script names.
    package func userID(named name: String, in tenant: Tenant) throws(AdminError) -> UserID {
        try userID(named: name, in: try store(tenant))
    }

    /// - Throws: ``AdminError/noAccount(_:)``.
    package func userID(named name: String, in store: any TenantStore) throws(AdminError) -> UserID {
        if let id = UserID(recordName: name) { return id }
        let account = try account(email: name)
        guard let user = try rows(UserRow.from([(.account, account.id)]), of: store).first else {
            throw .refused("\(name) has never signed in to \(store.tenant).")
        }
        return user.id
    }
}
