import Foundation
import NephosTesting

/// `disk-recorder.c`, compiled for preloading into processes.
struct DiskRecorder {
    let library: String
    let log: String
    private let folder: TemporaryFolder

    /// - Throws: An error if there is no clang, which is part of every Swift toolchain, or it fails.
    init() throws {
        folder = try TemporaryFolder(prefix: "disk-recorder")
        library = folder.path + "/disk-recorder.so"
        log = folder.path + "/log"
        let source = URL(filePath: #filePath).deletingLastPathComponent().path + "/disk-recorder.c"
        let compiler = try ChildProcess(
            "/usr/bin/env", ["clang", "-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"],
            output: folder.path + "/output", errors: folder.path + "/errors")
        guard compiler.wait() == .exited(0) else {
            let errors = String(decoding: try readFile(folder.path + "/errors"), as: UTF8.self)
            throw Disk.Fault(description: "clang could not build the recorder: \(errors)")
        }
    }

    /// Makes a process record its changes to `data`, an existing folder.
    ///
    /// - Parameter killAt: The number of the change before which it dies, counted from 1.
    func environment(data: String, killAt: Int? = nil) -> [String: String] {
        var environment = ["LD_PRELOAD": library, "DISK_RECORDER_ROOT": data, "DISK_RECORDER_LOG": log]
        if let killAt { environment["DISK_RECORDER_KILL_AT"] = "\(killAt)" }
        return environment
    }
}
