public import NephosStorage

/// The e-mail addresses of a caller, by which owners may have named them in shares.
public struct NamedAddresses: Sendable {
    private let isVerified: Bool
    /// As sign-in compares them.
    private let texts: [String]

    /// - Parameter isVerified: Whether it is known that the addresses are the caller's. Otherwise they may be those of somebody else, and
    ///   nobody is recognized by them.
    public init(of accounts: [AccountRow], isVerified: Bool) {
        texts = accounts.map { EmailAddress.text(of: $0.email) }
        self.isVerified = isVerified
    }

    /// Of a caller who has none.
    public static let none = NamedAddresses(of: [], isVerified: true)

    /// The participant of a share whom its owner has named by an address of the caller.
    ///
    /// - Returns: Their index; nil if nobody is named so.
    /// - Throws: ``Refusal/addressNotVerified``.
    func index(in list: ShareList) throws(Refusal) -> Int? {
        let named = list.participants.firstIndex(where: isNamed)
        guard named == nil || isVerified else { throw .addressNotVerified }
        return named
    }

    /// Removes the participants who are the caller, named once more by their address.
    func removeOthers(from list: inout ShareList) {
        if isVerified { list.participants.removeAll(where: isNamed) }
    }

    private func isNamed(_ participant: ShareList.Participant) -> Bool {
        guard participant.user == nil, !participant.emailAddress.isEmpty else { return false }
        let named = EmailAddress.text(of: participant.emailAddress)
        return texts.contains { $0.utf8.elementsEqual(named.utf8) }
    }
}
