#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Who may read a file with a secret: its owner, and if that is root, one group, since a server's user reads a key through it.
package enum PrivateFile {
    /// What is wrong with an open file, as a sentence with what corrects it; nil if others cannot read it. A pipe has no other readers.
    package static func problem(_ file: Int32, at path: String) -> String? {
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        let isForGroup = status.st_uid == 0 && status.st_mode & S_IRGRP != 0
        let others: mode_t = isForGroup ? S_IWGRP | S_IXGRP | S_IRWXO : S_IRWXG | S_IRWXO
        guard status.st_mode & others != 0 else { return nil }
        let found = "\(path) contains a secret that other users can read or change."
        // Where Docker and Podman mount secrets: nobody in the container can change their modes.
        if path.hasPrefix("/run/secrets/") { return "\(found) Mount it with the options uid=\(geteuid()),mode=0400" }
        return "\(found) Run: chmod \(isForGroup ? "640" : "600") \(path.quotedForShell)"
    }
}
