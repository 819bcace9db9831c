import Foundation

/// A folder that a test and a process which it starts both find.
struct HandedFolder {
    let path: String

    init(_ name: String) throws {
        path = Self.path(name, by: getpid())
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    /// - Parameter process: The one that made it.
    static func path(_ name: String, by process: Int32) -> String {
        let base = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        return "\(base)/nephos-assets-\(process)-\(name)"
    }

    func remove() { try? FileManager.default.removeItem(atPath: path) }
}
