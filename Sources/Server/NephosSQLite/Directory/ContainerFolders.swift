import NephosStorage

/// The folders of containers: created and removed in such a way that a process may die at any step.
///
/// A folder gets its name after everything in it is on the disk, and loses it before anything in it is removed. A folder that
/// is marked as being deleted never becomes a container again, whatever the list contains. Files that other processes have
/// open remain available to them without a name, so that they do not affect a new container with the same id.
///
/// All this happens in a transaction of `nephos.sqlite`, which excludes all other processes.
struct ContainerFolders {
    let directory: DataDirectory
    let tables: TableSet

    /// Creates the folder of a container with its tenants.
    ///
    /// - Throws: ``StorageError/failed(_:)`` if there is a folder already with data of a container which is not on the list.
    func create(_ id: String, _ seeds: [TenantSeed]) throws(StorageError) {
        if try FileSystem.exists(directory.container(id)) {
            guard try isDisposable(id) else {
                throw .failed(
                    "\(directory.container(id)) contains data, but its container is not in the list: move the folder away first"
                )
            }
            try retire(id)
        }
        try create(id, seeds.map(\.head.tenant.environment)) { environment, connection throws(StorageError) in
            for seed in seeds where seed.head.tenant.environment == environment {
                try TenantWriter(connection, tables).seed(seed)
            }
        }
    }

    /// Makes the folder of a container with nothing in its tables, unless it is there.
    func createEmpty(_ id: String) throws(StorageError) {
        guard try !FileSystem.exists(directory.container(id)) else { return }
        try removeLeftovers()
        try create(id, Environment.allCases) { _, _ in }
    }

    /// - Parameter rows: Writes what a file has at first.
    private func create(
        _ id: String, _ environments: [Environment], rows: (Environment, Connection) throws(StorageError) -> Void
    ) throws(StorageError) {
        let new = directory.passing(.new)
        try FileSystem.createFolder(new)
        for environment in environments {
            let file = DataDirectory.file(of: environment, in: new)
            try StoreFile.create(file, .tenant(tables)) { connection throws(StorageError) in
                try rows(environment, connection)
            }
        }
        try FileSystem.synchronize(new)
        try FileSystem.move(new, to: directory.container(id))
    }

    /// Marks a container's folder as being deleted. From here on it will be deleted, at the latest when the data folder is next opened.
    func announceDeletion(of id: String) throws(StorageError) {
        guard try FileSystem.exists(directory.container(id)), try !isBeingDeleted(id) else { return }
        try FileSystem.createFile(directory.deletionMark(id))
        try FileSystem.synchronizeFolder(above: directory.deletionMark(id))
    }

    func isBeingDeleted(_ id: String) throws(StorageError) -> Bool {
        try FileSystem.exists(directory.deletionMark(id))
    }

    /// Renames a container's folder out of the way, in one step.
    func retire(_ id: String) throws(StorageError) {
        guard try FileSystem.exists(directory.container(id)) else { return }
        try FileSystem.move(directory.container(id), to: directory.passing(.gone))
    }

    /// Whether a creation or removal was in progress when a process died.
    ///
    /// - Parameter listed: Ids of the containers on the list.
    func haveLeftovers(listed: Set<String>) throws(StorageError) -> Bool {
        for name in try FileSystem.list(directory.containers) {
            if DataDirectory.TransitionalName(folder: name) != nil { return true }
            if try isBeingDeleted(name) { return true }
            if listed.contains(name) { continue }
            if try isDisposable(name) { return true }
        }
        return false
    }

    /// Renames disposable folders that are not on the list.
    func retireUnlisted(listed: Set<String>) throws(StorageError) {
        for name in try names() where !listed.contains(name) {
            if try isDisposable(name) { try retire(name) }
        }
    }

    /// Removes folders whose creation or removal was in progress when a process died, or that were just retired.
    func removeLeftovers() throws(StorageError) {
        for name in try FileSystem.list(directory.containers) where DataDirectory.TransitionalName(folder: name) != nil
        {
            try FileSystem.removeFolder("\(directory.containers)/\(name)")
        }
    }

    /// Folders of containers, whether they are on the list or not.
    func names() throws(StorageError) -> [String] {
        try FileSystem.list(directory.containers).filter { DataDirectory.TransitionalName(folder: $0) == nil }.sorted()
    }

    /// Whether a folder that is not on the list may be removed: its deletion or its creation was interrupted.
    private func isDisposable(_ id: String) throws(StorageError) -> Bool {
        if try isBeingDeleted(id) { return true }
        do throws(StorageError) {
            return try isPristine(id)
        } catch {
            // A file that cannot be read may still contain data of people.
            guard case .corrupt = error else { throw error }
            return false
        }
    }

    private static func isOfTenant(_ file: String) -> Bool {
        Environment.allCases.contains { environment in
            ["", "-wal", "-shm", "-journal"].contains { file == "\(environment.rawValue).sqlite\($0)" }
        }
    }

    /// Whether a folder contains only what a creation puts there: the process died before the container was listed.
    private func isPristine(_ id: String) throws(StorageError) -> Bool {
        // Other files are not Nephos's, whose data folder this may not even be.
        guard FileSystem.isFolder(directory.container(id)) else { return false }
        let found = try FileSystem.list(directory.container(id))
        guard found.allSatisfy(Self.isOfTenant) else { return false }
        for environment in Environment.allCases {
            let file = directory.tenant(Tenant(container: id, environment: environment))
            guard try FileSystem.exists(file) else { continue }
            let connection = try Connection(path: file, access: .read, settings: Tuning.reader)
            let isUsed = try connection.number(
                """
                SELECT EXISTS (SELECT 1 FROM users) OR EXISTS (SELECT 1 FROM sessions)
                    OR EXISTS (SELECT 1 FROM heads WHERE seq > 1) OR EXISTS (SELECT 1 FROM catalog WHERE version > 1)
                """)
            guard isUsed == 0 else { return false }
        }
        return true
    }
}
