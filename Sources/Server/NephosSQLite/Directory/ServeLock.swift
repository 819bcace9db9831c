import NephosStorage

/// The right to serve a data folder. Held for the lifetime of this object, and released when the process ends for any reason.
package final class ServeLock: Sendable {
    private let file: Int32

    /// - Throws: ``StorageError/failed(_:)`` if another process serves the folder.
    init(_ directory: DataDirectory) throws(StorageError) {
        guard let file = try FileSystem.lock(directory.serveLock) else {
            throw .failed(
                "another server serves \(directory.path): stop it, or choose another folder with --data")
        }
        self.file = file
    }

    deinit { FileSystem.unlock(file) }
}
