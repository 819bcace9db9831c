import NephosStorage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// File and folder operations of a store, as system calls. Existing or missing targets are not errors if another server may have
/// come first.
struct Disk: Sendable {
    let calls: any FileCalls

    /// Creates a folder, unless it exists. It does not wait for the disk.
    func createFolder(_ path: String) throws(AssetError) {
        do throws(FileFault) { try calls.createFolder(path) } catch {
            guard error.code == EEXIST else { throw error.failing("create the folder", path) }
        }
    }

    /// Creates a folder and missing parent folders, and waits until these are on the disk.
    func createFolders(_ path: String) throws(AssetError) {
        var missing: [String] = []
        var above = path
        while try !exists(above) {
            missing.append(above)
            above = Self.folder(above: above)
        }
        for folder in missing.reversed() {
            try createFolder(folder)
            try synchronize(Self.folder(above: folder))
        }
    }

    private static func folder(above path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    func exists(_ path: String) throws(AssetError) -> Bool { try status(path) != nil }

    /// Nil if nothing exists there.
    func status(_ path: String) throws(AssetError) -> FileStatus? {
        do throws(FileFault) { return try calls.status(at: path) } catch {
            guard error.code == ENOENT else { throw error.failing("access", path) }
            return nil
        }
    }

    /// Names in a folder; empty if it does not exist, or is not a folder.
    func names(in folder: String) throws(AssetError) -> [String] {
        do throws(FileFault) { return try calls.names(in: folder) } catch {
            guard error.code == ENOENT || error.code == ENOTDIR else { throw error.failing("list", folder) }
            return []
        }
    }

    /// Waits until the names in a folder are on the disk.
    func synchronize(_ folder: String) throws(AssetError) {
        do throws(FileFault) {
            let descriptor = try calls.openFolder(folder)
            defer { calls.closeFile(descriptor) }
            try calls.synchronize(descriptor)
        } catch {
            throw error.failing("synchronize the folder", folder)
        }
    }

    /// Creates an empty file, unless it exists.
    func createFile(_ path: String) throws(AssetError) {
        do throws(FileFault) { calls.closeFile(try calls.createFile(path)) } catch {
            guard error.code == EEXIST else { throw error.failing("create", path) }
        }
    }

    /// Removes a file, if it exists.
    func removeFile(_ path: String) throws(AssetError) {
        do throws(FileFault) { try calls.removeFile(path) } catch {
            guard error.code == ENOENT else { throw error.failing("remove", path) }
        }
    }

    /// Removes a file, or a folder with everything in it, if it exists. Symbolic links are removed, not their targets.
    func removeTree(_ path: String) throws(AssetError) {
        switch try status(path)?.kind {
        case nil: return
        case .file, .other: try removeFile(path)
        case .folder:
            for name in try names(in: path) { try removeTree("\(path)/\(name)") }
            try removeFolder(path)
        }
    }

    /// Removes an empty folder, if it exists.
    private func removeFolder(_ path: String) throws(AssetError) {
        do throws(FileFault) { try calls.removeFolder(path) } catch {
            guard error.code == ENOENT else { throw error.failing("remove", path) }
        }
    }
}

extension FileFault {
    /// - Parameter action: What failed, as in "cannot … the path".
    func failing(_ action: String, _ path: String) -> AssetError {
        switch code {
        case ENOSPC, EDQUOT, EFBIG: .full
        case EACCES, EPERM: .failed("cannot \(action) \(path): \(FolderOwner.explain(path))")
        default:
            .failed("cannot \(action) \(path): \(NoFollow.explain(code) ?? String(cString: strerror(code)))")
        }
    }
}
