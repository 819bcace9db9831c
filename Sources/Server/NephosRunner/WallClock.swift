package import NephosStorage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The only clock that requests are stamped with.
package enum WallClock {
    /// Now, in milliseconds since 1970.
    package static func now() -> Milliseconds {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Milliseconds(time.tv_sec) * 1_000 + Milliseconds(time.tv_nsec) / 1_000_000
    }
}

extension Duration {
    /// Whole ones; what is over is dropped.
    package var milliseconds: Milliseconds {
        components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000
    }
}
