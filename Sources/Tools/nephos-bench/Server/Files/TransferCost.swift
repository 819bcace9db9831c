import NephosTesting

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The cost of transferring files.
struct TransferCost {
    /// Processor milliseconds per megabyte (1,048,576 bytes).
    var milliseconds: Double
    /// Megabytes a second.
    var perSecond: Double

    /// Measures `work`, which transfers this many megabytes.
    ///
    /// - Parameter cpuNanoseconds: The processor time used so far by the measured process.
    init(megabytes: Int, _ cpuNanoseconds: () throws -> UInt64, _ work: () throws -> Void) throws {
        let (before, start) = (try cpuNanoseconds(), ContinuousClock.now)
        try work()
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        milliseconds = Double(try cpuNanoseconds() - before) / 1e6 / Double(megabytes)
        perSecond = Double(megabytes) / seconds
    }

    /// The same cost, after the resulting files are removed, so that the next files reuse their memory. On a virtual machine new
    /// memory is expensive, and would be charged to the first contender.
    func removing(_ paths: some Sequence<String>) throws -> TransferCost {
        for path in paths { guard unlink(path) == 0 else { throw SystemError("remove \(path)") } }
        return self
    }
}
