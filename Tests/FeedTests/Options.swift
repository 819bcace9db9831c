import Foundation

/// How much these tests do; set by environment variables. `make test` takes the short form.
enum Options {
    /// `NEPHOS_HISTORIES`: how many random histories are played; 30 in `make acceptance`.
    static let histories = number("NEPHOS_HISTORIES") ?? 3
    /// `NEPHOS_SEED`: plays the one history of this seed. When processes take turns is the machine's.
    static let seeds = number("NEPHOS_SEED").map { [UInt64($0)] } ?? (0..<histories).map { UInt64($0) + 1 }

    private static func number(_ name: String) -> Int? {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
    }
}
