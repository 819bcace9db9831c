import Foundation

/// A folder whose path a test and a process that it starts can both determine.
struct SharedFolder {
    let path: String

    init(_ name: String) throws {
        path = Self.path(name, by: getpid())
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    /// - Parameter process: The one that created it.
    static func path(_ name: String, by process: Int32) -> String {
        let base = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        return "\(base)/nephos-assets-\(process)-\(name)"
    }

    func remove() { try? FileManager.default.removeItem(atPath: path) }
}
