package import CloudKitWire
package import NephosStorage

/// The people that an operator names.
extension Administration {
    /// The account of an address. An id is found, too: of several accounts with one address it is what tells them apart.
    ///
    /// - Throws: ``AdminError/noAccount(_:)``.
    package func account(email: String) throws(AdminError) -> AccountRow {
        let row = try stored { () throws(StorageError) in
            let isAddress = email.utf8.contains(UInt8(ascii: "@"))
            return try isAddress ? engine.account(typed: email) : engine.account(id: email.uppercased())
        }
        guard let row else { throw .noAccount(try Validation.email(email).shown) }
        return row
    }

    /// Stores a new account.
    ///
    /// - Parameter more: Adds what is stored with it.
    /// - Throws: ``AdminError/accountExists(_:)`` if its address has one, however either is spelled.
    package func add(_ account: AccountRow, _ more: (inout WriteSet) -> Void = { _ in }) throws(AdminError) {
        let (known, others) = (AccountRow.keyed(account.id), AccountRow.withAddress(account.email))
        var set = ReadSet()
        set.ask(known)
        set.ask(others)
        do {
            try engine.directory.commit(set) { reading in
                guard reading[known].isEmpty, reading[others].isEmpty else {
                    throw AdminError.accountExists(account.shownEmail)
                }
                var writes = WriteSet()
                writes.put(account)
                more(&writes)
                return .write(writes, ())
            }
        } catch { throw AdminError(error) }
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
