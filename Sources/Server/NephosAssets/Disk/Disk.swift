import NephosStorage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// What a store does with files and folders, in calls of the system. What is there already, or gone, is fine wherever another
/// server may have come first.
struct Disk: Sendable {
    let calls: any FileCalls

    /// Makes a folder, unless it is there. It does not wait for the disk.
    func makeFolder(_ path: String) throws(AssetError) {
        do throws(FileFault) { try calls.makeFolder(path) } catch {
            guard error.code == EEXIST else { throw error.failing("make the folder", path) }
        }
    }

    /// Makes a folder and those above it that are missing, and waits until these are on the disk.
    func makeFolders(_ path: String) throws(AssetError) {
        var missing: [String] = []
        var above = path
        while try !exists(above) {
            missing.append(above)
            above = Self.folder(above: above)
        }
        for folder in missing.reversed() {
            try makeFolder(folder)
            try synchronize(Self.folder(above: folder))
        }
    }

    private static func folder(above path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    func exists(_ path: String) throws(AssetError) -> Bool { try status(path) != nil }

    /// Nil when there is nothing.
    func status(_ path: String) throws(AssetError) -> FileStatus? {
        do throws(FileFault) { return try calls.status(at: path) } catch {
            guard error.code == ENOENT else { throw error.failing("look at", path) }
            return nil
        }
    }

    /// Names in a folder; none when it is not there, or is no folder.
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

    /// Makes an empty file, unless it is there.
    func makeFile(_ path: String) throws(AssetError) {
        do throws(FileFault) { calls.closeFile(try calls.makeFile(path)) } catch {
            guard error.code == EEXIST else { throw error.failing("make", path) }
        }
    }

    /// Removes a file, if it is there.
    func removeFile(_ path: String) throws(AssetError) {
        do throws(FileFault) { try calls.removeFile(path) } catch {
            guard error.code == ENOENT else { throw error.failing("remove", path) }
        }
    }

    /// Removes a file, or a folder with everything in it, if it is there. Symbolic links go, and what they lead to stays.
    func removeTree(_ path: String) throws(AssetError) {
        switch try status(path)?.kind {
        case nil: return
        case .file, .other: try removeFile(path)
        case .folder:
            for name in try names(in: path) { try removeTree("\(path)/\(name)") }
            try removeFolder(path)
        }
    }

    /// Removes an empty folder, if it is there.
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
        default: .failed("cannot \(action) \(path): \(String(cString: strerror(code)))")
        }
    }
}
