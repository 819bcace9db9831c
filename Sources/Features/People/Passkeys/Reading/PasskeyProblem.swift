/// Why a passkey was not made, used, or changed. What a person is told of it is a text of the page.
enum PasskeyProblem: Error, Equatable, Sendable {
    /// No browser sends this.
    case unreadable
    /// The page was open for too long, what it asked for was answered before, or another page asked.
    case over
    /// It is of another site, or was asked for by a page of another.
    case elsewhere
    /// The authenticator did not make sure who is there.
    case unverified
    /// Its algorithm, or the length of its key, is not taken.
    case unsupported
    /// No account has it, or it does not prove what it says. Who asks does not learn which.
    case unknown
    /// It has signed less often than before: there are two of it.
    case cloned
    /// An account has it already.
    case taken
    /// The account has as many as it may.
    case tooMany
    /// The account would have nothing left to sign in with.
    case onlyWay
    /// Nobody can read such a name.
    case badName
    /// The passkeys of this installation are of another relying party.
    case otherParty(String)
}
