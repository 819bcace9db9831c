import Foundation

/// The extent of the crash tests, set by environment variables. `make test` uses the short form.
enum Options {
    /// `NEPHOS_KILLS`: number of kills of the server, and of crashes of it or PostgreSQL; 100 in `make acceptance`.
    static let kills = number("NEPHOS_KILLS") ?? 12
    /// `NEPHOS_POWER_CUTS`: number of simulated power failures; 200 in `make acceptance`.
    static let powerCuts = number("NEPHOS_POWER_CUTS") ?? 20
    /// `NEPHOS_SEED`: makes the same choices as a run that printed this seed. Thread scheduling is not reproducible.
    static let seed = number("NEPHOS_SEED").map { UInt64($0) } ?? UInt64.random(in: 1...999_999)

    private static func number(_ name: String) -> Int? {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
    }

    /// Prints how to reproduce the following test.
    static func announce(_ what: String) {
        print("\(what); NEPHOS_SEED=\(seed) makes the same choices")
    }
}
