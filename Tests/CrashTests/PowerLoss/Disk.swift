import Foundation

/// A disk under a recorded folder, advanced through the log, and its possible contents after a power failure at that point.
///
/// A file keeps what its last completed sync covered (``StoredFile``). A name belongs to its folder: created, moved and removed
/// names are durable only after a sync of the *folder*; without one the disk contains the folder as it was after any number of
/// these changes, in order, as journaling file systems do. POSIX guarantees no more than that. A file may have several names, each
/// as durable as its own folder makes it.
struct Disk {
    /// A log that cannot be replayed, or a folder that differs from the log.
    struct Fault: Error, CustomStringConvertible { var description: String }

    private enum Contents { case file(StoredFile), folder(Folder) }

    /// A file or a folder, independent of its names.
    private final class Node {
        let contents: Contents
        /// Paths that processes see; for a removed file that is still open, the last one.
        private(set) var paths: Set<String> = []

        init(_ contents: Contents) { self.contents = contents }

        func gain(_ path: String) { paths.insert(path) }
        func lose(_ path: String) { if paths.count > 1 { paths.remove(path) } }
    }

    private final class Folder {
        var durable: [String: Node] = [:]
        /// Each changes one or two names atomically; nil removes.
        var pending: [(entry: Int, names: [String: Node?])] = []

        func names(after count: Int) -> [String: Node] {
            var names = durable
            for (_, changes) in pending[..<count] {
                for (name, node) in changes { names[name] = node }
            }
            return names
        }
    }

    let log: DiskLog
    /// Number of replayed entries.
    private(set) var position = 0
    private var root = ""
    /// Everything that processes see now, by path, and by inode for open files.
    private var live: [String: Node] = [:]
    private var nodes: [UInt64: Node] = [:]
    private var syncs: [Int: (entry: Int, node: Node)] = [:]
    private let countsSync: (_ path: String) -> Bool

    /// - Parameter countsSync: Returns false for files whose syncs have no effect, for a disk that must lose data.
    init(_ log: DiskLog, countsSync: @escaping (_ path: String) -> Bool = { _ in true }) {
        self.log = log
        self.countsSync = countsSync
    }

    /// Replays entries up to, and not including, entry `end`.
    mutating func advance(to end: Int) throws {
        while position < end {
            try apply(log.entries[position])
            position += 1
        }
    }

    private mutating func apply(_ entry: DiskLog.Entry) throws {
        switch entry.kind {
        case .directory: try createFolder(entry)
        case .create: try make(.file(StoredFile(log, mode: entry.offset)), entry)
        case .write: try file(entry).apply(.write(at: entry.offset, entry.data), entry: position)
        case .truncate: try file(entry).apply(.size(entry.offset), entry: position)
        case .syncBegin: syncs[entry.offset] = (position, try node(entry))
        case .syncEnd: endSync(entry)
        case .rename: try rename(entry.path, to: log.text(entry))
        case .link: try link(entry, to: log.text(entry))
        case .unlink: try change([entry.path: nil])
        case .mapped: try refuseMapping(entry)
        }
    }

    private mutating func createFolder(_ entry: DiskLog.Entry) throws {
        // Every process names the root; it existed before the first one.
        if entry.path == root { return }
        guard root.isEmpty else { return try make(.folder(Folder()), entry) }
        root = entry.path
        let node = Node(.folder(Folder()))
        live[root] = node
        nodes[entry.file] = node
        node.gain(root)
    }

    private mutating func make(_ contents: Contents, _ entry: DiskLog.Entry) throws {
        let node = Node(contents)
        // An inode number is reused once all names of a file are gone and no process has it open.
        nodes[entry.file] = node
        try change([entry.path: node])
    }

    /// A second name for a file, without an effect on the first one or on the stored contents.
    private mutating func link(_ entry: DiskLog.Entry, to new: String) throws {
        guard let node = live[entry.path], node === nodes[entry.file] else {
            throw Fault(description: "\(entry.path) is linked, which is not there, or is another file")
        }
        try change([new: node])
    }

    private mutating func rename(_ old: String, to new: String) throws {
        guard let node = live[old] else { throw Fault(description: "moved \(old), which is not there") }
        // Like a new link and a removed name, but in one step.
        try change([old: nil, new: node])
        node.lose(old)
        // The contents of a moved folder are found by their new paths from now on.
        for (path, inner) in live where path.hasPrefix(old + "/") {
            let moved = new + path.dropFirst(old.count)
            live[path] = nil
            live[moved] = inner
            inner.gain(moved)
            inner.lose(path)
        }
    }

    /// Changes names of one folder in one step; those of two folders separately.
    private mutating func change(_ paths: [String: Node?]) throws {
        var folders: [String: [String: Node?]] = [:]
        for (path, node) in paths {
            if let old = live[path], old !== node { old.lose(path) }
            node?.gain(path)
            live[path] = node
            folders[(path as NSString).deletingLastPathComponent, default: [:]][(path as NSString).lastPathComponent] =
                .some(node)
        }
        for (path, names) in folders {
            guard case .folder(let folder)? = live[path]?.contents else {
                throw Fault(description: "no folder \(path)")
            }
            folder.pending.append((position, names))
        }
    }

    private mutating func endSync(_ entry: DiskLog.Entry) {
        guard let sync = syncs.removeValue(forKey: entry.offset) else { return }
        guard sync.node.paths.allSatisfy(countsSync) else { return }
        switch sync.node.contents {
        case .file(let file): file.sync(began: sync.entry)
        case .folder(let folder):
            let count = folder.pending.prefix { $0.entry < sync.entry }.count
            folder.durable = folder.names(after: count)
            folder.pending.removeFirst(count)
        }
    }

    private func refuseMapping(_ entry: DiskLog.Entry) throws {
        for path in try node(entry).paths where !isRebuilt(path) {
            throw Fault(description: "\(path) is written through a mapping, which is not recorded")
        }
    }

    private func node(_ entry: DiskLog.Entry) throws -> Node {
        guard let node = nodes[entry.file] else { throw Fault(description: "inode \(entry.file) was never made") }
        return node
    }

    private func file(_ entry: DiskLog.Entry) throws -> StoredFile {
        guard case .file(let file) = try node(entry).contents else { throw Fault(description: "wrote to a folder") }
        return file
    }
}

/// SQLite's index of its log: shared memory of running processes, rebuilt after a crash; no disk needs to store it.
func isRebuilt(_ path: String) -> Bool { path.hasSuffix("-shm") }

extension Disk {
    /// A folder's files and subfolders; nil contents for a folder.
    typealias Image = [String: FileImage?]

    /// What processes see now: every file by its path below the root.
    var image: Image {
        collect { folder in
            folder.names(after: folder.pending.count)
        } contents: {
            $0.contents
        }
    }

    /// Possible contents after a power failure now.
    func image(after loss: Loss, using chance: inout some RandomNumberGenerator) -> Image {
        collect { folder in
            let count =
                switch loss {
                case .everything: 0
                case .nothing: folder.pending.count
                case .some: Int.random(in: 0...folder.pending.count, using: &chance)
                }
            return folder.names(after: count)
        } contents: {
            $0.contents(after: loss, using: &chance)
        }
    }

    private func collect(names: (Folder) -> [String: Node], contents: (StoredFile) -> [UInt8]) -> Image {
        var image: Image = [:]
        func visit(_ folder: Folder, _ prefix: String) {
            for (name, node) in names(folder).sorted(by: { $0.key < $1.key }) where !isRebuilt(name) {
                switch node.contents {
                case .file(let file): image[prefix + name] = FileImage(bytes: contents(file), mode: file.mode)
                case .folder(let inner):
                    image[prefix + name] = .some(nil)
                    visit(inner, prefix + name + "/")
                }
            }
        }
        if case .folder(let folder)? = live[root]?.contents { visit(folder, "") }
        return image
    }
}
