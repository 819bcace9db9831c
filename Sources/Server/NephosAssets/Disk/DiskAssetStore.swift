package import NephosStorage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Keeps files in a folder, which several servers may share. It is for its owner's eyes only.
///
/// Of the file system it needs that links and renames happen as a whole, and that synchronizing a file or a folder waits for
/// the disk; no locks. Ages of files are counted by its clock, which may be hours from ours, not a day.
package struct DiskAssetStore: AssetStore {
    let layout: DiskLayout
    let disk: Disk

    /// Opens the store in a folder; it is made where it is missing, and those above it.
    ///
    /// - Parameters:
    ///   - folder: On one file system with all it holds.
    ///   - calls: The system's own, but for tests.
    package init(folder: String, calls: any FileCalls = SystemCalls()) throws(AssetError) {
        var path = folder.isEmpty ? "." : folder
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        layout = DiskLayout(folder: path)
        disk = Disk(calls: calls)
        try disk.makeFolders(layout.drafts)
    }

    package func create(in home: AssetHome) throws(AssetError) -> any AssetDraft {
        // What could not be published later fails now.
        _ = try layout.folder(of: home)
        return try DiskDraft(layout.newDraft(), layout, disk)
    }

    package func open(_ file: AssetFile) throws(AssetError) -> any AssetContent {
        try DiskContent(try layout.place(of: file).path, disk.calls)
    }

    package func remove(_ file: AssetFile) throws(AssetError) {
        try disk.removeFile(try layout.place(of: file).path)
    }

    // MARK: What there is

    package func files(in home: AssetHome, _ body: (StoredAsset) throws -> Void) throws {
        let folder = try layout.folder(of: home)
        for part in DiskLayout.parts {
            // All names of a part at once, since what the body removes would confuse some systems on the way.
            for name in try disk.names(in: "\(folder)/\(part)") {
                guard let file = layout.file(name, in: part, of: home),
                    let status = try disk.status("\(folder)/\(part)/\(name)"), status.kind == .file
                else { continue }
                try body(StoredAsset(file: file, size: status.size, modifiedAt: status.modifiedAt))
            }
        }
    }

    // MARK: What must go

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
            guard let passage = DiskLayout.passage(name), let status = try disk.status(path) else { continue }
            switch (passage, status.kind) {
            case (.draft, .file):
                guard status.modifiedAt < cutoff else { continue }
                try disk.removeFile(path)
            // Nobody needs it whatever its age; if another server removes it just now, there are two of us.
            case (.removedHome, .folder): try disk.removeTree(path)
            case (.draft, .folder), (.draft, .other), (.removedHome, .file), (.removedHome, .other): continue
            }
            count += 1
        }
        return count
    }
}
