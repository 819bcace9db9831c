package import NephosRunner
import NephosStorage

extension UseCaseGroup {
    package static let backups = UseCaseGroup(
        "backup", abstract: "Back up the data folder.", [.createBackup])
}

extension UseCase {
    fileprivate static let createBackup = UseCase(
        "backup create", .reads, lists: true,
        abstract: "Copy the data folder with its files to a new folder, while servers run.",
        discussion: """
            All databases are copied as of one moment, for which writers wait some milliseconds, then the files of records. A \
            transaction that is in the way, such as a long import, is waited for. The copy is checked as nephos check does. Only a \
            complete backup is a store; until then everything is in the folder incomplete inside of DIR.

            The key of the secrets is not copied: keep a copy of it in another place (docs/operating.md, "Backups").

            Example:

              nephos backup create /srv/backups/nephos-2026-11-23
            """,
        Input<NewStoreFolder>.argument(
            "dir", help: "A folder that does not exist yet, or is empty. The folder above it must exist.")
    ) { call, dir in
        guard !call.isDatabase else { throw Failure(forDatabase(call.filesLocation)) }
        guard let source = try call.engine.backup else { throw Failure("\(call.place) cannot be backed up.") }
        let files = FileLocation(files: try call.files, name: call.filesLocation)
        let others = [source.folderPath, call.filesLocation]
        try BackupFolder.check(dir.path, outsideOf: others)
        let sink = try call.folder(dir.folder)
        do throws(Failure) {
            // Again: only whoever made the folder may know where a link on its path leads.
            try BackupFolder.check(sink.path, outsideOf: others)
        } catch {
            sink.removeIfNew()
            throw error
        }
        let folder = try BackupFolder(sink, storeFile: source.storeFile)
        let backup = StoreBackup(
            source: source, files: files, folder: folder, inputs: try call.administration.inputs,
            features: call.features,
            progress: call.progress)
        defer { call.progress("") }
        return try await backup.run().answer(in: folder, from: call.place)
    }

    private static func forDatabase(_ files: String) -> String {
        """
        The store is a PostgreSQL database, which pg_dump copies as of one moment. After that copy the folder of files, \(files). \
        Both commands are in docs/operating.md, "Backups".
        """
    }
}

extension StoreBackup.Report {
    private static let head = ["moment", "containers", "rows", "files", "bytes"]

    fileprivate func answer(in folder: BackupFolder, from place: String) -> UseCaseAnswer {
        let containers = Set(rows.dropFirst().map { $0.place.prefix { $0 != "/" } }).count
        let numbers = [
            containers, rows.reduce(0) { $0 + ($1.rows ?? 0) }, files.reduce(0) { $0 + ($1.rows ?? 0) },
            Int(databases.bytes + fileBytes),
        ]
        let table = UseCaseAnswer.table(Self.head, [[databases.moment.asDate] + numbers.map(String.init)])
            .noting(unlistedNote)
        guard !findings.isEmpty else {
            return table.noting(
                """
                The backup is complete, and a check of it found nothing. The key of its secrets is not in it: keep a copy of the \
                key in another place.
                """)
        }
        let list = findings.map { [$0.place, $0.finding.table, $0.finding.what] }
        return table.then(.table(["place", "table", "finding"], list)).failing(
            """
            A check of the backup found damage (\(list.count)). Everything that could be copied is in \(folder.incomplete), which can \
            be used as a data folder. If files are missing because their container or account was deleted during the backup, \
            remove it and create another. Otherwise check \(place) with nephos check.
            """)
    }

    private var unlistedNote: String? {
        guard !databases.unlisted.isEmpty else { return nil }
        return """
            Not in the backup, because no container of the store has these folders: \(databases.unlisted.joined(separator: ", ")).
            """
    }
}
