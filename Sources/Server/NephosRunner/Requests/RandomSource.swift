/// The source of ids and random bits for answers. A value, so that a test that replaces it gets the same answers to the same
/// requests.
///
/// As a generator it produces bits that cannot be guessed.
package struct RandomSource: RandomNumberGenerator, Sendable {
    /// Returns a new id; see ``RequestID`` for its guarantees.
    package var newID: @Sendable () -> RequestID
    private let bits: @Sendable () -> UInt64

    /// - Parameters:
    ///   - newID: Returns a different id each time.
    ///   - bits: Returns 64 bits, suitable for secrets.
    package init(newID: @escaping @Sendable () -> RequestID, bits: @escaping @Sendable () -> UInt64) {
        self.newID = newID
        self.bits = bits
    }

    package func next() -> UInt64 { bits() }

    /// 64 bits to seed a generator.
    package var seed: UInt64 { bits() }

    /// The source of this machine.
    package static let system = RandomSource(
        newID: RequestID.next,
        bits: {
            var generator = SystemRandomNumberGenerator()
            return generator.next()
        })
}
