import NephosTesting

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// What moving files cost.
struct TransferCost {
    /// Processor milliseconds for a megabyte (1,048,576 bytes).
    var milliseconds: Double
    /// Megabytes a second.
    var perSecond: Double

    /// Measures `work`, which moves so many megabytes.
    ///
    /// - Parameter cpuNanoseconds: Processor time so far of who is measured.
    init(megabytes: Int, _ cpuNanoseconds: () throws -> UInt64, _ work: () throws -> Void) throws {
        let (before, start) = (try cpuNanoseconds(), ContinuousClock.now)
        try work()
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        milliseconds = Double(try cpuNanoseconds() - before) / 1e6 / Double(megabytes)
        perSecond = Double(megabytes) / seconds
    }

    /// The same, once the files that came of it are gone: their memory is what the next file takes. On a virtual machine new
    /// memory is dear, and would be charged to whoever comes first.
    func removing(_ paths: some Sequence<String>) throws -> TransferCost {
        for path in paths { guard unlink(path) == 0 else { throw SystemError("remove \(path)") } }
        return self
    }
}
