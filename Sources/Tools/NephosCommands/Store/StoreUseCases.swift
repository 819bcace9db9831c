import Foundation
import NephosAdmin
import NephosAssets
import NephosRunner
import NephosSQLite
import NephosStorage

extension UseCaseGroup {
    static let stores = UseCaseGroup(
        "store", abstract: "Copy everything from one store to another.", [.copyStore])
}

extension UseCase {
    /// Stands here and not in `NephosAdmin`, since it opens two stores, where all others open one.
    fileprivate static let copyStore = UseCase(
        "store copy", .changes, store: .none,
        abstract: "Copy a whole store, with its files, between a folder and a PostgreSQL database.",
        discussion: """
            FROM and TO are each a data folder or the address of a PostgreSQL database. Stop all servers of FROM first; TO must be \
            new. At the end everything is read again and compared, and only then TO can be used. If it is interrupted, run it again \
            to continue. FROM is not changed.

            The key of the secrets is in secret.key for a folder, which is created for a new one, and in NEPHOS_SECRET_KEY_FILE for a \
            database. Put passwords of databases in PGPASSWORD or ~/.pgpass, where other users cannot see them.

            Example:

              NEPHOS_SECRET_KEY_FILE=/etc/nephos/secret.key \\
                  nephos store copy /srv/nephos postgres://nephos@localhost/nephos
            """,
        Input<String>.argument("from", help: "The folder or database to copy."),
        Input<String>.argument("to", help: "The new folder or database."),
        Input<InputFile?>.option(
            "from-key", valueName: "file", help: "The file of keys that opens the secrets of FROM."),
        Input<InputFile?>.option(
            "to-key", valueName: "file", help: "The file of keys to seal the secrets of TO under."),
        Input<String?>.option("from-assets", valueName: "dir", help: "The folder of files of FROM."),
        Input<String?>.option("to-assets", valueName: "dir", help: "The folder of files of TO.")
    ) { call, from, to, fromKey, toKey, fromAssets, toAssets in
        let source = try CopiedLocation(from, keyFile: fromKey, assets: fromAssets)
        let target = try CopiedLocation(to, keyFile: toKey, assets: toAssets)
        guard !source.isSame(as: target) else {
            throw Failure(
                "FROM and TO are the same store: pass another folder, or another database, as TO.", kind: .wrongUsage)
        }
        guard !source.isNested(with: target) else {
            throw Failure("One of FROM and TO is inside the other. Pass a folder outside of it.", kind: .wrongUsage)
        }
        for warning in [source.warning, target.warning].compactMap(\.self) { Terminal.note("Warning: \(warning)") }
        let (oldKeys, newKeys) = (try source.keys(creating: false), try target.keys(creating: true))
        try CopiedLocation.enter(from: source, to: target)
        let old = try source.open(creating: false, oldKeys)
        defer { old.engine.close() }
        // Opening FROM creates its folder of files if it had none, so that links to it lead somewhere.
        guard !source.hasSameFiles(as: target) else {
            throw Failure(
                """
                FROM and TO would share the files in \(source.assetFolder): what is deleted in one store would be lost in the \
                other. Pass --to-assets with a new folder.
                """, kind: .wrongUsage)
        }
        let new = try target.open(creating: true, newKeys)
        defer { new.engine.close() }
        let transfer = StoreTransfer(
            from: old, to: new, inputs: .live, features: call.features, progress: call.progress)
        let report = try transfer.run()
        call.progress("")
        return report.answer(from: old.name, to: new.name).noting(target.filesNote).noting(target.keyNote)
    }
}

extension CopyReport {
    fileprivate func answer(from: String, to: String) -> UseCaseAnswer {
        let tables = rows.tables.filter { $0.rows > 0 }.map { [$0.name, "\($0.rows)", "-"] }
        let all = ["all", "\(rows.rows)", "-"]
        let files = ["files", "\(self.files)", "\(bytes)"]
        return .table(["table", "rows", "bytes"], tables + [all, files])
            .noting(unknownNote).noting(closedNote)
            .noting("\(to) is the same as \(from) now. Serve it, and keep \(from) until you are sure that it works.")
    }

    private var unknownNote: String? {
        guard !unknownTables.isEmpty else { return nil }
        let names = unknownTables.joined(separator: ", ")
        return "Not copied, because this program lacks the features that these tables belong to: \(names)."
    }

    private var closedNote: String? {
        guard !rows.closed.isEmpty else { return nil }
        let tables = rows.closed.sorted { $0.key < $1.key }.map { "\($0.value) in \($0.key)" }
        return """
            Rows with secrets that no key opens were copied as they are: \(tables.joined(separator: ", ")). They cannot be used, as \
            in FROM; nephos secret reset removes them.
            """
    }
}
