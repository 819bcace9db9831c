#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Resources used by a running process, from its own accounting.
package struct ProcessUsage: Sendable {
    /// Processor time of all its threads since its start, in nanoseconds.
    package var cpuNanoseconds: UInt64
    /// Memory it holds now, in bytes.
    package var residentBytes: UInt64
    /// Its peak memory, in bytes.
    package var residentBytesMax: UInt64

    /// - Throws: ``SystemError`` if there is no such process, or the system does not provide the values.
    package init(of process: Int32) throws {
        #if os(Linux)
            var clock = clockid_t()
            let code = clock_getcpuclockid(process, &clock)
            guard code == 0 else { throw SystemError("clock_getcpuclockid", code: code) }
            var time = timespec()
            guard clock_gettime(clock, &time) == 0 else { throw SystemError("clock_gettime") }
            cpuNanoseconds = UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
            let status = String(decoding: try readFile("/proc/\(process)/status"), as: UTF8.self)
            residentBytes = ProcessUsage.bytes("VmRSS:", in: status)
            residentBytesMax = ProcessUsage.bytes("VmHWM:", in: status)
        #else
            throw SystemError("the usage of another process", code: ENOTSUP)
        #endif
    }

    /// The value of a line like `VmRSS:    1234 kB`.
    private static func bytes(_ name: String, in status: String) -> UInt64 {
        guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix(name) }) else { return 0 }
        return (UInt64(line.filter(\.isNumber)) ?? 0) * 1024
    }
}
