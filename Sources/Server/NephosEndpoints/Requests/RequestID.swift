import Synchronization

/// The id of one request: a UUID of version 4, the same in `X-Apple-Request-UUID`, in error dictionaries and in the log.
///
/// It names, it does not protect: ids are unique, but whoever knows one may guess others.
package struct RequestID: Sendable, Hashable, CustomStringConvertible {
    package let high: UInt64
    package let low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high & ~0xF000 | 0x4000
        self.low = low & ~(0b11 << 62) | 0b10 << 62
    }

    /// A new id, made without a system call: a counter that starts at a random place, scrambled twice.
    package static func next() -> RequestID {
        let count = counter.wrappingAdd(0x9E37_79B9_7F4A_7C15, ordering: .relaxed).newValue
        return RequestID(high: scramble(count), low: scramble(count ^ salt))
    }

    /// Length of ``text``.
    package static let textBytes = 36

    /// Upper-case hexadecimal in groups, as CloudKit prints it.
    package var text: String {
        String(unsafeUninitializedCapacity: Self.textBytes) { memory in
            write(to: UnsafeMutableRawBufferPointer(memory))
            return Self.textBytes
        }
    }

    package var description: String { text }

    /// Writes ``text``. - Parameter memory: Has room for it.
    package func write(to memory: UnsafeMutableRawBufferPointer) {
        var at = 0
        for digit in 0..<32 {
            if digit == 8 || digit == 12 || digit == 16 || digit == 20 {
                memory[at] = UInt8(ascii: "-")
                at += 1
            }
            let half = digit < 16 ? high : low
            let value = UInt8(truncatingIfNeeded: half >> UInt64(60 - (digit & 15) * 4)) & 15
            memory[at] = value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") - 10 + value
            at += 1
        }
    }

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
