#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Processor time of this process: a steady measure even on a shared machine.
enum CPUTime {
    static func seconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// Median seconds per call of `work`, over `rounds` rounds of `calls` calls, after a warm-up round.
    static func median(rounds: Int, calls: Int, _ work: () -> Void) -> Double {
        var samples: [Double] = []
        for round in 0...rounds {
            let start = seconds()
            for _ in 0..<calls { work() }
            if round > 0 { samples.append((seconds() - start) / Double(calls)) }
        }
        return samples.sorted()[samples.count / 2]
    }
}
