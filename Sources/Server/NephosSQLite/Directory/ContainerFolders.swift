import NephosStorage

/// The folders of containers: how they come and go, so that a process may die at any step.
///
/// A folder gets its name when everything in it is on the disk, and loses it before anything in it is removed. A
/// folder that says it is being deleted never becomes a container again, whatever the list says.
/// Connections that other processes still have keep their files, which have no name any more, so that a new
/// container of the same id is safe from them.
///
/// Everything here happens in a transaction of `nephos.sqlite`, alone among all processes.
struct ContainerFolders {
    let directory: DataDirectory
    let tables: TableSet

    /// Makes the folder of a container with its tenants.
    ///
    /// - Throws: ``StorageError/failed(_:)`` when a folder is in the way that holds data of a container which is
    ///   not on the list.
    func make(_ id: String, _ seeds: [TenantSeed]) throws(StorageError) {
        if try FileSystem.exists(directory.container(id)) {
            guard try isDisposable(id) else {
                throw .failed(
                    "\(directory.container(id)) holds data, but no such container is known: move it away first")
            }
            try retire(id)
        }
        try make(id, seeds.map(\.head.tenant.environment)) { environment, connection throws(StorageError) in
            for seed in seeds where seed.head.tenant.environment == environment {
                try TenantWriter(connection, tables).seed(seed)
            }
        }
    }

    /// Makes the folder of a container with nothing in its tables, unless it is there.
    func makeEmpty(_ id: String) throws(StorageError) {
        guard try !FileSystem.exists(directory.container(id)) else { return }
        try removeLeftovers()
        try make(id, Environment.allCases) { _, _ in }
    }

    /// - Parameter rows: Writes what a file has at first.
    private func make(
        _ id: String, _ environments: [Environment], rows: (Environment, Connection) throws(StorageError) -> Void
    ) throws(StorageError) {
        let new = directory.passing(.new)
        try FileSystem.makeFolder(new)
        for environment in environments {
            let file = DataDirectory.file(of: environment, in: new)
            try StoreFile.make(file, .tenant(tables)) { connection throws(StorageError) in
                try rows(environment, connection)
            }
        }
        try FileSystem.synchronize(new)
        try FileSystem.move(new, to: directory.container(id))
    }

    /// Writes into a container's folder that it is being deleted. From here on it will be, if not now then when the
    /// data folder is opened the next time.
    func announceDeletion(of id: String) throws(StorageError) {
        guard try FileSystem.exists(directory.container(id)), try !isBeingDeleted(id) else { return }
        try FileSystem.makeFile(directory.deletionMark(id))
        try FileSystem.synchronizeFolder(above: directory.deletionMark(id))
    }

    func isBeingDeleted(_ id: String) throws(StorageError) -> Bool {
        try FileSystem.exists(directory.deletionMark(id))
    }

    /// Takes a container's folder out of the way, in one step.
    func retire(_ id: String) throws(StorageError) {
        guard try FileSystem.exists(directory.container(id)) else { return }
        try FileSystem.move(directory.container(id), to: directory.passing(.gone))
    }

    /// Whether something was on its way in or out when a process died.
    ///
    /// - Parameter listed: Ids of the containers on the list.
    func haveLeftovers(listed: Set<String>) throws(StorageError) -> Bool {
        for name in try FileSystem.list(directory.containers) {
            if DataDirectory.Passage(folder: name) != nil { return true }
            if try isBeingDeleted(name) { return true }
            if listed.contains(name) { continue }
            if try isDisposable(name) { return true }
        }
        return false
    }

    /// Takes folders out of the way that are not on the list and that nobody can miss.
    func retireUnlisted(listed: Set<String>) throws(StorageError) {
        for name in try names() where !listed.contains(name) {
            if try isDisposable(name) { try retire(name) }
        }
    }

    /// Removes folders that were on their way in or out when a process died, or that were just retired.
    func removeLeftovers() throws(StorageError) {
        for name in try FileSystem.list(directory.containers) where DataDirectory.Passage(folder: name) != nil {
            try FileSystem.removeFolder("\(directory.containers)/\(name)")
        }
    }

    /// Folders of containers, whether they are on the list or not.
    func names() throws(StorageError) -> [String] {
        try FileSystem.list(directory.containers).filter { DataDirectory.Passage(folder: $0) == nil }.sorted()
    }

    /// Whether a folder that is not on the list may go: its deletion died half way, or its creation did.
    private func isDisposable(_ id: String) throws(StorageError) -> Bool {
        if try isBeingDeleted(id) { return true }
        do throws(StorageError) {
            return try isPristine(id)
        } catch {
            // What cannot be read may be somebody's data all the same.
            guard case .corrupt = error else { throw error }
            return false
        }
    }

    /// Whether a folder holds nothing but what a creation puts there: it died before the container was listed.
    private func isPristine(_ id: String) throws(StorageError) -> Bool {
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
