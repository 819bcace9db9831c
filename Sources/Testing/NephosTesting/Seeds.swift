import Foundation

/// Seeds of property tests. `SEED=n` uses a single one, `ROUNDS=n` runs more of them.
package enum Seeds {
    package static func all(_ count: Int) -> [UInt64] {
        let environment = ProcessInfo.processInfo.environment
        if let seed = environment["SEED"].flatMap(UInt64.init) { return [seed] }
        let rounds = environment["ROUNDS"].flatMap(Int.init) ?? count
        return (0..<UInt64(rounds)).map { $0 &* 0x9E37_79B9 &+ 11 }
    }
}
