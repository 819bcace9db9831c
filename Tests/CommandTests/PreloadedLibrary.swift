#if os(Linux)
    import Foundation
    import NephosTesting

    /// A C file of this folder, compiled for preloading into processes, where it replaces functions of the system. It is removed
    /// when the last reference is released.
    final class PreloadedLibrary: Sendable {
        /// Readable by every user.
        let folder: TemporaryFolder
        private let path: String

        /// - Parameter name: The name of the file, without `.c`.
        /// - Throws: ``Failure`` if there is no clang, which is part of every Swift toolchain, or it fails.
        init(_ name: String) throws {
            folder = try TemporaryFolder(prefix: "nephos-\(name)")
            path = "\(folder.path)/\(name).so"
            let source = URL(filePath: #filePath).deletingLastPathComponent().path + "/\(name).c"
            let errors = folder.path + "/errors"
            let compiler = try ChildProcess(
                "/usr/bin/env", ["clang", "-shared", "-fPIC", "-O1", "-o", path, source, "-ldl"], output: errors,
                errors: errors)
            guard compiler.wait() == .exited(0) else {
                throw Failure("clang: \(String(decoding: try readFile(errors), as: UTF8.self))")
            }
            // PostgreSQL, which may run as another user, must be able to read it.
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
        }

        /// The environment that loads it into a process, and into its child processes.
        var environment: [String: String] { ["LD_PRELOAD": path] }
    }
#endif
