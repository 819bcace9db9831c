import Foundation

/// How long tests wait for something that must happen.
///
/// It is patience for a hang, and never an expectation: much longer than anything takes on a slow machine that is busy with other
/// work. A test that passes waits no longer than it has to.
package enum Patience {
    /// `NEPHOS_TEST_PATIENCE` replaces it, for example to find out sooner what hangs.
    package static let seconds = ProcessInfo.processInfo.environment["NEPHOS_TEST_PATIENCE"].flatMap(Int.init) ?? 180

    /// The environment of a server that is at least as patient with the clients of tests, which may be slow as well. A test that must
    /// see one of these limits sets it itself.
    package static let ofServers: [String: String] = {
        let limits = ["HEADERS", "BODY", "STALLED_READ", "STALLED_WRITE", "REQUEST", "IDLE"]
        return Dictionary(uniqueKeysWithValues: limits.map { ("NEPHOS_\($0)_SECONDS", "\(2 * seconds)") })
    }()
}
