package import NephosStorage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Stores files in a folder, which several servers may share. Only its owner can read it.
///
/// It requires of the file system that links and renames are atomic, and that synchronizing a file or a folder waits for the
/// disk; no locks. Ages of files use the file system's clock, which may differ from ours by hours, but not by a day.
package struct DiskAssetStore: AssetStore {
    let layout: DiskLayout
    let disk: Disk

    /// Opens the store in a folder; it is created if it is missing, with its parent folders.
    ///
    /// - Parameters:
    ///   - folder: On one file system with everything in it.
    ///   - calls: The system's own if it is nil; others in tests.
    package init(folder: String, calls: (any FileCalls)? = nil) throws(AssetError) {
        var path = folder.isEmpty ? "." : folder
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        // Operators use a link to move the folder to another disk; nothing below it is a link.
        path = NoFollow.resolved(path)
        layout = DiskLayout(folder: path)
        let making = Disk(calls: calls ?? SystemCalls())
        try making.createFolders(layout.drafts)
        guard calls == nil else {
            disk = making
            return
        }
        guard let open = OpenFolder(path) else { throw FileFault(code: errno).failing("open", path) }
        disk = Disk(calls: SystemCalls(below: open))
    }

    package func create(in home: AssetHome) throws(AssetError) -> any AssetDraft {
        // Fail now if it could not be published later.
        _ = try layout.folder(of: home)
        return try DiskDraft(layout.newDraft(), layout, disk)
    }

    package func open(_ file: AssetFile) throws(AssetError) -> any AssetContent {
        try DiskContent(try layout.place(of: file).path, disk.calls)
    }

    package func remove(_ file: AssetFile) throws(AssetError) {
        try disk.removeFile(try layout.place(of: file).path)
    }

    // MARK: Listing

    package func files(in home: AssetHome, _ body: (StoredAsset) throws -> Void) throws {
        let folder = try layout.folder(of: home)
        for part in DiskLayout.parts {
            // All names of a part first, because removals by the body would confuse some systems during a listing.
            for name in try disk.names(in: "\(folder)/\(part)") {
                guard let file = layout.file(name, in: part, of: home),
                    let status = try disk.status("\(folder)/\(part)/\(name)"), status.kind == .file
                else { continue }
                try body(StoredAsset(file: file, size: status.size, modifiedAt: status.modifiedAt))
            }
        }
    }

    // MARK: Removal

    package func removeAll(in home: AssetHome) throws(AssetError) {
        let (folder, above) = (try layout.folder(of: home), try layout.folder(of: home.tenant.container))
        let removed = layout.removedHome()
        do throws(FileFault) { try disk.calls.move(folder, to: removed) } catch {
            guard error.code == ENOENT else { throw error.failing("move away", folder) }
            return
        }
        try disk.synchronize(above)
        try disk.removeTree(removed)
    }

    package func removeAbandoned(olderThan cutoff: Milliseconds) throws(AssetError) -> Int {
        var count = 0
        for name in try disk.names(in: layout.drafts) {
            let path = "\(layout.drafts)/\(name)"
            guard let temporaryKind = DiskLayout.temporaryKind(name), let status = try disk.status(path) else {
                continue
            }
            switch (temporaryKind, status.kind) {
            case (.draft, .file):
                guard status.modifiedAt < cutoff else { continue }
                try disk.removeFile(path)
            // It can be removed at any age; if another server removes it right now, both do it together.
            case (.removedHome, .folder): try disk.removeTree(path)
            case (.draft, .folder), (.draft, .other), (.removedHome, .file), (.removedHome, .other): continue
            }
            count += 1
        }
        return count
    }
}
