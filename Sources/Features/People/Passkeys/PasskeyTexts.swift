/// Texts about passkeys.
struct PasskeyTexts: Sendable {
    /// Labels of buttons.
    let use, make: String
    /// If the browser asked the person, and they used or created no passkey.
    let noneUsed, noneMade: String
    let unreadable, expired, elsewhere, unverified, unsupported, unknown, cloned, taken, onlyWay: String
    /// `%` is a number.
    let tooMany, badName: String

    /// The reason for the failure, and what to do.
    func message(for problem: PasskeyProblem) -> String {
        switch problem {
        case .unreadable: unreadable
        case .expired: expired
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
