import Foundation

/// How a file of the configuration is read: only a regular file of this user or of root, of a limited size, that other users cannot
/// have prepared or read.
struct ConfigurationFile {
    enum Kind {
        /// Others must not change it: it decides which server gets the secrets.
        case settings
        /// Others must not read it either. If it belongs to root, its group may, as a key of a service's user.
        case secret
    }

    let path: String
    let kind: Kind

    private static let bytesMax = 1 << 20

    /// - Returns: nil if the file does not exist.
    /// - Throws: ``ConfigurationFault``.
    func read() throws(ConfigurationFault) -> [UInt8]? {
        // O_NONBLOCK has no effect on a file; without it, a pipe would block the caller forever.
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw ConfigurationFault(message: "\(path) cannot be read: check its permissions")
        }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw ConfigurationFault(message: "\(path) cannot be read: it is not a file")
        }
        try check(status)
        guard let bytes = try? file.read(upToCount: Self.bytesMax + 1) ?? Data() else {
            throw ConfigurationFault(message: "\(path) cannot be read: check its permissions")
        }
        guard bytes.count <= Self.bytesMax else {
            throw ConfigurationFault(message: "\(path) has more than \(Self.bytesMax) bytes")
        }
        return Array(bytes)
    }

    private func check(_ status: stat) throws(ConfigurationFault) {
        // The owner can change a file whatever its permissions are.
        guard status.st_uid == geteuid() || status.st_uid == 0 else {
            throw ConfigurationFault(
                message: "\(path) belongs to another user: it must belong to the user of this program, or to root")
        }
        switch kind {
        case .settings:
            guard status.st_mode & S_IWOTH != 0 else { return }
            throw ConfigurationFault(
                message: "\(path) can be changed by every user of this machine: run chmod o-w '\(path)'")
        case .secret:
            let isForGroup = status.st_uid == 0 && status.st_mode & S_IRGRP != 0
            let others: mode_t = isForGroup ? S_IWGRP | S_IXGRP | S_IRWXO : S_IRWXG | S_IRWXO
            guard status.st_mode & others != 0 else { return }
            throw ConfigurationFault(
                message:
                    "\(path) contains secrets that other users can read: run chmod \(isForGroup ? "640" : "600") '\(path)'"
            )
        }
    }
}
