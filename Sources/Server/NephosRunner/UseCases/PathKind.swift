import Foundation

/// What a path leads to, links followed.
package enum PathKind {
    case folder
    /// A file, a pipe or a device.
    case file

    /// nil if nothing is there, or if the process may not see it.
    package init?(_ path: String) {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { return nil }
        self = isFolder.boolValue ? .folder : .file
    }
}
