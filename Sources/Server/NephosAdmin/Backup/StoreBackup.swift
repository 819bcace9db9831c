import NephosAssets
import NephosDomain
import NephosRunner
import NephosStorage

/// Copies a folder with its files to a new folder, as of one moment, while servers run (docs/decisions/0054).
struct StoreBackup {
    let source: any BackupStore
    let files: FileLocation
    let folder: BackupFolder
    let inputs: Inputs
    /// Those of the program, which check what they store.
    let features: [Feature]
    /// Called with a description of the current step.
    let progress: (String) -> Void

    struct Report {
        let databases: BackedUpDatabases
        /// Of the copy: the databases, and the files.
        let rows, files: [CheckReport]
        let fileBytes: Int64

        var findings: [(place: String, finding: CheckFinding)] {
            (rows + files).flatMap { report in report.findings.map { (report.place, $0) } }
        }
    }

    /// Leaves a complete backup; or an incomplete one, if its databases were copied and are damaged, or the check of it has findings;
    /// or nothing, if it throws anything else.
    ///
    /// - Throws: ``Failure``, ``StorageError``, ``AdminError``.
    func run() async throws -> Report {
        let databases: BackedUpDatabases
        do { databases = try source.backUp(to: folder.incomplete, now: inputs.now) { progress($0.text) } } catch {
            folder.remove()
            throw error
        }
        do {
            let report = try await checked(databases)
            if report.findings.isEmpty { try folder.complete() }
            return report
        } catch AdminError.storage(.corrupt(let what)) {
            throw damage(what)
        } catch StorageError.corrupt(let what) {
            throw damage(what)
        } catch {
            folder.remove()
            throw error
        }
    }

    private func damage(_ what: String) -> Failure {
        Failure(
            """
            The stored data is damaged: \(what). What could be copied is in \(folder.incomplete). Stop the server, keep a copy of \
            \(source.folderPath), and restore an earlier backup.
            """)
    }

    /// Copies the files to the databases that were copied, and checks both.
    private func checked(_ databases: BackedUpDatabases) async throws -> Report {
        let copy = try source.openBackup(in: folder.incomplete)
        // Before the copy is complete: that closes its databases.
        defer { copy.close() }
        let target = FileLocation(files: try store(at: "\(folder.incomplete)/assets"), name: folder.incomplete)
        let bytes = try await copyFiles(of: copy, to: target)
        let administration = Administration(engine: copy, inputs: inputs, features: features)
        let rows = try administration.check { name, done, total in
            progress("checking \(name): \(done) of \(total) rows")
        }
        let files = try administration.checkFiles(in: target.files) { name, done, bytes in
            progress("checking \(name): \(done), \(bytes >> 20) MB read")
        }
        return Report(databases: databases, rows: rows, files: files, fileBytes: bytes)
    }

    private func store(at path: String) throws(Failure) -> DiskAssetStore {
        do { return try DiskAssetStore(folder: path) } catch { throw Failure("\(error)") }
    }

    // MARK: Files

    /// Copies the files that the databases of the copy name. A file is never changed, and there before its row is.
    ///
    /// - Returns: The bytes of the files.
    private func copyFiles(of copy: any StorageEngine, to target: FileLocation) async throws -> Int64 {
        var (count, bytes): (Int, Int64) = (0, 0)
        for container in try copy.containers() {
            for environment in Environment.allCases {
                let tenant = Tenant(container: container.id, environment: environment)
                guard let store = try copy.open(tenant) else { continue }
                var lacksSome = false
                try CopiedFile.all(of: store) { file, row in
                    guard try file.copy(from: files, to: target) != .missing else {
                        lacksSome = true
                        return
                    }
                    count += 1
                    bytes += row.size
                    progress("files of \(tenant): \(count), \(bytes >> 20) MB")
                }
                if lacksSome { bytes -= try await forgetReleased(in: store, target.files) }
            }
        }
        return bytes
    }

    /// Removes what a server removes: files that no record has held for a day. The server that runs may have removed them since the
    /// moment of the copy, which then names files that are gone and that nobody can miss.
    ///
    /// - Returns: The bytes of the files that were there.
    private func forgetReleased(in store: any TenantStore, _ files: any AssetStore) async throws -> Int64 {
        let (home, page) = (AssetHome(try store.read(ReadSet()).catalog.head), 200)
        var bytes: Int64 = 0
        while true {
            let rows = try await store.sweepAssets(releasedBefore: inputs.now() - AssetReceipt.grace, rows: page)
            for row in rows {
                guard let file = AssetFile(row, in: home), (try? files.open(file)) != nil else { continue }
                try files.remove(file)
                bytes += row.size
            }
            guard rows.count == page else { return bytes }
        }
    }
}

extension BackupStep {
    fileprivate var text: String {
        switch self {
        case .waiting(let name): "waiting for another process that writes: \(name)"
        case .copying(let name, let done, let total): "\(name): \(done >> 20) of \(total >> 20) MB of databases"
        }
    }
}
