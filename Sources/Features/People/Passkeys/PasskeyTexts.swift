/// What pages say of passkeys.
struct PasskeyTexts: Sendable {
    /// On buttons.
    let use, make: String
    /// Of who was asked by the browser, and has used or made none.
    let noneUsed, noneMade: String
    let unreadable, over, elsewhere, unverified, unsupported, unknown, cloned, taken, onlyWay: String
    /// With numbers in the place of `%`.
    let tooMany, badName: String

    /// Why nothing came of it, and what to do.
    func said(of problem: PasskeyProblem) -> String {
        switch problem {
        case .unreadable: unreadable
        case .over: over
        case .elsewhere, .otherParty: elsewhere
        case .unverified: unverified
        case .unsupported: unsupported
        case .unknown: unknown
        case .cloned: cloned
        case .taken: taken
        case .tooMany: tooMany.filled("\(Passkeys.countMax)")
        case .onlyWay: onlyWay
        case .badName: badName.filled("\(Passkeys.nameBytesMax)")
        }
    }
}
