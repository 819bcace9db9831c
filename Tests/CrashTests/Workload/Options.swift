import Foundation

/// How much the crash tests do; set by environment variables. `make test` takes the short form.
enum Options {
    /// `NEPHOS_KILLS`: how often the server is killed, and how often it or PostgreSQL crashes; 100 in `make acceptance`.
    static let kills = number("NEPHOS_KILLS") ?? 12
    /// `NEPHOS_POWER_CUTS`: how many moments of a power cut are tried; 200 in `make acceptance`.
    static let powerCuts = number("NEPHOS_POWER_CUTS") ?? 20
    /// `NEPHOS_SEED`: makes the same choices as a run that printed this seed. When threads take turns is the machine's.
    static let seed = number("NEPHOS_SEED").map { UInt64($0) } ?? UInt64.random(in: 1...999_999)

    private static func number(_ name: String) -> Int? {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
    }

    /// Prints how to replay what follows.
    static func announce(_ what: String) {
        print("\(what); NEPHOS_SEED=\(seed) makes the same choices")
    }
}
