/// Why a passkey was not created, used, or changed. The page has the text that a person sees.
enum PasskeyProblem: Error, Equatable, Sendable {
    /// Not in the form that browsers send.
    case unreadable
    /// The page was open for too long, its challenge has been used, or it was issued for another page.
    case expired
    /// The passkey belongs to another site, or was requested by a page of another.
    case elsewhere
    /// The authenticator did not verify the person.
    case unverified
    /// The algorithm or key length is not supported.
    case unsupported
    /// No account has it, or its signature is wrong. The caller does not learn which.
    case unknown
    /// Its counter went backward: there are two copies.
    case cloned
    /// An account has it already.
    case taken
    /// The account has the maximum number of passkeys.
    case tooMany
    /// The account would have nothing left to sign in with.
    case onlyWay
    /// The name is empty, too long, or not printable.
    case badName
    /// The passkeys of this installation belong to another relying party.
    case otherParty(String)
}
