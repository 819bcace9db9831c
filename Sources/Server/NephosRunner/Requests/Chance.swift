/// What answers take from chance. A value, so that whoever sets it gets the same answers to the same requests again.
///
/// As a generator it gives bits that nobody can guess.
package struct Chance: RandomNumberGenerator, Sendable {
    /// Names what is made; see ``RequestID`` for how good that is.
    package var newID: @Sendable () -> RequestID
    private let bits: @Sendable () -> UInt64

    /// - Parameters:
    ///   - newID: Another one each time.
    ///   - bits: 64 bits, fit for secrets.
    package init(newID: @escaping @Sendable () -> RequestID, bits: @escaping @Sendable () -> UInt64) {
        self.newID = newID
        self.bits = bits
    }

    package func next() -> UInt64 { bits() }

    /// 64 bits, from which others may follow.
    package var seed: UInt64 { bits() }

    /// That of this machine.
    package static let system = Chance(
        newID: RequestID.next,
        bits: {
            var generator = SystemRandomNumberGenerator()
            return generator.next()
        })
}
