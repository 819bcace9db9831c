package import NephosStorage
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The only clock for the timestamps of requests: this machine's, or that of a database that several servers share.
package enum WallClock {
    /// The offset to this machine's clock, in microseconds.
    private static let ahead = Atomic<Int64>(0)

    /// Now, in milliseconds since 1970.
    package static func now() -> Milliseconds { (ofMachine() + ahead.load(ordering: .relaxed)) / 1_000 }

    /// Follows the database's clock from now on, so that servers whose machines disagree show content at the same time.
    ///
    /// - Parameter microseconds: How far the database's clock is ahead of this machine's, at least.
    package static func follow(ahead microseconds: Int64) { ahead.store(microseconds, ordering: .relaxed) }

    /// This machine's clock, in microseconds since 1970.
    package static func ofMachine() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
    }
}

extension StorageEngine {
    /// Makes this process use the store's clock, if several servers share the store. Blocks.
    package func followClock() throws(StorageError) {
        if let ahead = try clockDifference(ofMachine: WallClock.ofMachine) { WallClock.follow(ahead: ahead) }
    }
}

extension Duration {
    /// Whole milliseconds; the remainder is dropped.
    package var milliseconds: Milliseconds {
        components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000
    }
}
