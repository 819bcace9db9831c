#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The operating system's figures about this process.
package enum ProcessFigures {
    /// CPU time used so far, in seconds, user and system together.
    package static func cpuSeconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// Current resident memory, in bytes; if the system does not report it, the peak.
    package static func residentBytes() -> Double {
        pages().map { Double($0 * Int(sysconf(Int32(_SC_PAGESIZE)))) } ?? peakBytes()
    }

    /// The second number of Linux's /proc/self/statm.
    private static func pages() -> Int? {
        let file = open("/proc/self/statm", O_RDONLY)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 128)
        let count = read(file, &bytes, bytes.count)
        guard count > 0 else { return nil }
        let numbers = bytes[..<count].split(separator: UInt8(ascii: " "))
        return numbers.count > 1 ? Int(String(decoding: numbers[1], as: UTF8.self)) : nil
    }

    private static func peakBytes() -> Double {
        var usage = rusage()
        #if canImport(Darwin)
            getrusage(RUSAGE_SELF, &usage)
            return Double(usage.ru_maxrss)
        #else
            getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
            return Double(usage.ru_maxrss) * 1_024
        #endif
    }
}
