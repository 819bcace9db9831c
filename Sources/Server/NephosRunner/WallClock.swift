package import NephosStorage
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The only clock that requests are stamped with: this machine's, or that of a database that several servers share.
package enum WallClock {
    /// Microseconds that it is ahead of this machine's.
    private static let ahead = Atomic<Int64>(0)

    /// Now, in milliseconds since 1970.
    package static func now() -> Milliseconds { (ofMachine() + ahead.load(ordering: .relaxed)) / 1_000 }

    /// Has it be the database's from now on, so that servers whose machines disagree show content at one moment.
    ///
    /// - Parameter microseconds: That the database's is ahead of this machine's, at least.
    package static func follow(ahead microseconds: Int64) { ahead.store(microseconds, ordering: .relaxed) }

    /// This machine's, in microseconds since 1970.
    package static func ofMachine() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
    }
}

extension StorageEngine {
    /// Has this process stamp what it does by the time of the store, where several servers share one. May wait.
    package func followClock() throws(StorageError) {
        if let ahead = try clockDifference(ofMachine: WallClock.ofMachine) { WallClock.follow(ahead: ahead) }
    }
}

extension Duration {
    /// Whole ones; what is over is dropped.
    package var milliseconds: Milliseconds {
        components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000
    }
}
