import NephosStorage

/// The right to serve a data folder. Held for the lifetime of this object, and released when the process ends for any reason.
package final class ServeLock: Sendable {
    private let file: Int32

    /// - Throws: ``StorageError/failed(_:)`` when another process serves the folder.
    convenience init(_ directory: DataDirectory) throws(StorageError) {
        guard let file = try FileSystem.lock(directory.serveLock) else {
            throw .failed(
                "another server uses \(directory.path): stop it, or choose another folder with --data")
        }
        self.init(file)
    }

    private init(_ file: Int32) { self.file = file }

    /// nil when another process serves the folder.
    static func free(_ directory: DataDirectory) throws(StorageError) -> ServeLock? {
        try FileSystem.lock(directory.serveLock).map(ServeLock.init)
    }

    deinit { FileSystem.unlock(file) }
}
