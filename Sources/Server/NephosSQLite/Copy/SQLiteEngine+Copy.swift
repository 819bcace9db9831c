package import NephosStorage

extension SQLiteEngine: CopyStore {
    package func reserved() throws(StorageError) -> (any StoreReservation)? { try ServeLock.free(folder) }

    package func tables(of tenant: Tenant?) throws(StorageError) -> any CopyTables {
        guard let tenant else { return try tables(in: folder.directoryFile, .directory(options.tables)) }
        guard DataDirectory.isSafe(tenant.container), try FileSystem.exists(folder.tenant(tenant)) else {
            throw .noSuchTenant
        }
        return try tables(in: folder.tenant(tenant), .tenant(options.tables))
    }

    package func tables(filling tenant: Tenant?, number: Int64) throws(StorageError) -> any CopyTables {
        if let tenant {
            try withStore { store throws(StorageError) in
                try store.write { () throws(StorageError) in try folders.createEmpty(tenant.container) }
            }
        }
        return try tables(of: tenant)
    }

    private func tables(in file: String, _ migrations: Migrations) throws(StorageError) -> SQLiteCopyTables {
        SQLiteCopyTables(try StoreFile.open(file, migrations, in: folder))
    }

    package func copiedFrom() throws(StorageError) -> Int64 {
        try withStore { store throws(StorageError) in try store.copiedFrom() }
    }

    package func beginCopy(of source: Int64, _ tenants: [Tenant]) throws(StorageError) -> Bool {
        if let tenant = tenants.first(where: { !DataDirectory.isSafe($0.container) }) {
            throw .failed("'\(tenant.container)' cannot be the name of a folder")
        }
        return try withStore { store throws(StorageError) in
            try store.write { () throws(StorageError) in
                guard try folders.names().isEmpty, try store.digest() == 0 else { return false }
                try store.change(copiedFrom: source)
                return true
            }
        }
    }

    package func setDirectoryDigest(_ digest: Int64) throws(StorageError) {
        try withStore { store throws(StorageError) in
            try store.write { () throws(StorageError) in try store.change(digest: digest) }
        }
    }

    package func endCopy() throws(StorageError) {
        try withStore { store throws(StorageError) in
            try store.write { () throws(StorageError) in try store.change(copiedFrom: 0) }
        }
    }
}

/// Nobody else can have the lock meanwhile.
extension ServeLock: StoreReservation {
    package func holds() -> Bool { true }
}
