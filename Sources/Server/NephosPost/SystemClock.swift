import NephosRunner

/// The clock of this machine, which this module uses unless a test replaces it.
package enum SystemClock {
    /// Whole seconds since 1970. Tokens and signatures are dated with it.
    package static func now() -> Int64 { WallClock.now() / 1_000 }

    /// Returns after this time, or earlier if its task is cancelled. Timeouts are measured with it.
    package static func wait(_ time: Duration) async {
        // A cancelled wait simply ends; the caller checks for the reason.
        try? await Task.sleep(for: time)
    }
}
