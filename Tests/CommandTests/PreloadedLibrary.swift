#if os(Linux)
    import Foundation
    import NephosTesting

    /// A C file of this folder, built and ready to be loaded into processes, where it stands in for functions of the
    /// system. It is gone with the last reference.
    final class PreloadedLibrary: Sendable {
        /// Every user may look into it.
        let folder: TemporaryFolder
        private let path: String

        /// - Parameter name: The file's, without `.c`.
        /// - Throws: ``Failure`` when there is no clang, which comes with every Swift toolchain, or it fails.
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
            // PostgreSQL, which may run as another user, must find it.
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
        }

        /// What loads it into a process, and into those that this one starts.
        var environment: [String: String] { ["LD_PRELOAD": path] }
    }
#endif
