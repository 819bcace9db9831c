import Foundation

/// The extent of these tests, set by environment variables. `make test` uses the short form.
enum Options {
    /// `NEPHOS_HISTORIES`: number of random histories; 30 in `make acceptance`.
    static let histories = number("NEPHOS_HISTORIES") ?? 3
    /// `NEPHOS_SEED`: runs the one history of this seed. Process scheduling is not reproducible.
    static let seeds = number("NEPHOS_SEED").map { [UInt64($0)] } ?? (0..<histories).map { UInt64($0) + 1 }

    private static func number(_ name: String) -> Int? {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
    }
}
