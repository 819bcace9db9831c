import NephosRunner

/// The clock of this machine, which everything in this room goes by unless a test brings its own.
package enum SystemClock {
    /// Whole seconds since 1970. Tokens and signatures are dated with it.
    package static func now() -> Int64 { WallClock.now() / 1_000 }

    /// Returns after this time, or earlier when its task is cancelled. Timeouts are measured with it.
    package static func wait(_ time: Duration) async {
        // A cancelled wait is an ended one; whoever waits looks for the reason.
        try? await Task.sleep(for: time)
    }
}
