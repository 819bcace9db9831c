import NephosStorage
import Synchronization

/// Paths without links. A command resolves each once: after it has become another user (``FolderUser``), it may not be able to pass the
/// folders that lead to a link.
enum ResolvedPath {
    private static let known = Mutex<[String: String]>([:])

    static func of(_ path: String) -> String {
        // Other processes, such as those of tests, run commands for many folders.
        guard CommandContext.current.becomesOwners else { return NoFollow.resolved(path) }
        return known.withLock { known in
            if let found = known[path] { return found }
            let resolved = NoFollow.resolved(path)
            known[path] = resolved
            return resolved
        }
    }
}
