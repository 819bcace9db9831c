import NephosTesting

/// `Benchmarks/allocation-counter.c`, compiled for preloading into a server.
struct AllocationCounter {
    private let folder: TemporaryFolder

    /// - Throws: ``Wrk/Failure`` if clang, which is part of the Swift toolchain, cannot build it.
    init() throws {
        folder = try TemporaryFolder(prefix: "nephos-allocations")
        let errors = folder.path + "/errors"
        let compiler = try ChildProcess(
            "/usr/bin/env",
            ["clang", "-shared", "-fPIC", "-O2", "-o", library, Wrk.scripts + "/allocation-counter.c"],
            output: errors, errors: errors)
        guard compiler.wait() == .exited(0) else {
            throw Wrk.Failure(description: String(decoding: try readFile(errors), as: UTF8.self))
        }
    }

    private var library: String { folder.path + "/allocation-counter.so" }
    private var file: String { folder.path + "/count" }

    /// Enables counting in the `serve` process that is started with it. Other commands would count into the same file: run none
    /// while measuring.
    var environment: [String: String] { ["LD_PRELOAD": library, "ALLOCATION_COUNTER_FILE": file] }

    /// Allocations so far.
    var count: UInt64 {
        get throws {
            let bytes = try readFile(file)
            guard bytes.count == 8 else {
                throw Wrk.Failure(description: "the counter's file has \(bytes.count) bytes")
            }
            return bytes.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) }
        }
    }
}
