#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Nanoseconds of a monotonic clock that all processes share: CLOCK_MONOTONIC.
package func monotonicNow() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}
