import CloudKitWire
import Synchronization

/// The id of one request: a version 4 UUID, the same in `X-Apple-Request-UUID`, in error dictionaries and in the log.
///
/// It identifies and does not protect: ids are unique, but a client that knows one may guess others.
package struct RequestID: Sendable, Hashable, CustomStringConvertible {
    private let bits: UUIDBits
    /// Half of it, for code that needs a number that differs with each request.
    package var low: UInt64 { bits.low }

    package init(high: UInt64, low: UInt64) { bits = UUIDBits(high: high, low: low, version: 4) }

    /// A new id, created without a system call: a counter with a random start, scrambled twice.
    package static func next() -> RequestID {
        let count = counter.wrappingAdd(0x9E37_79B9_7F4A_7C15, ordering: .relaxed).newValue
        return RequestID(high: scramble(count), low: scramble(count ^ salt))
    }

    /// Length of ``text``.
    package static let textBytes = UUIDBits.textBytes

    /// Uppercase hexadecimal in groups, as CloudKit prints it.
    package var text: String { bits.text }

    package var description: String { text }

    /// Writes ``text``. - Parameter memory: Has at least ``textBytes`` bytes.
    package func write(to memory: UnsafeMutableRawBufferPointer) { bits.write(to: memory) }

    private static let counter = Atomic<UInt64>(UInt64.random(in: .min ... .max))
    private static let salt = UInt64.random(in: .min ... .max)

    /// The finaliser of SplitMix64: a permutation, so that different counts never give the same half.
    private static func scramble(_ count: UInt64) -> UInt64 {
        var mixed = count
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
