extension AccountRow {
    /// The address for people.
    package var shownEmail: String { EmailAddress.shown(email) }

    /// Whether it has this address, however either is spelled.
    package func hasAddress(_ text: String) -> Bool { EmailAddress.text(of: email) == EmailAddress.text(of: text) }

    /// The accounts with an address, in any spelling: one, or none. Several only if they were created by a version that did not
    /// compare spellings; `check` reports these.
    package static func with(_ address: EmailAddress) -> Scan<Self> { spelled(address.spellings) }

    /// The same for a text that was stored.
    package static func withAddress(_ text: String) -> Scan<Self> { spelled(spellings(of: text)) }

    fileprivate static func spelled(_ spellings: [String]) -> Scan<Self> {
        Scan(by: "accounts_by_email", among: spellings.map { [.text($0)] })
    }

    /// With the text as it is, in lower case, last: accounts of earlier versions may have addresses that are not valid any more.
    fileprivate static func spellings(of text: String) -> [String] {
        let spellings = (try? EmailAddress(text))?.spellings ?? []
        let typed = text.lowercased()
        return spellings.containsBytes(of: typed) ? spellings : spellings + [typed]
    }
}

extension [AccountRow] {
    /// The account to which their common address belongs: the first that was created.
    package var owner: AccountRow? { byAge.first }

    package var byAge: [AccountRow] { sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) } }
}

extension StorageEngine {
    /// The account of an address as somebody typed it; nil if there is none. If several have it, the one that is spelled like
    /// this, otherwise the first that was created.
    package func account(typed: String) throws(StorageError) -> AccountRow? {
        guard typed.utf8.count <= EmailAddress.typedBytesMax else { return nil }
        let found = try directory.rows(AccountRow.withAddress(typed))
        let bytes = typed.lowercased().utf8
        return found.first { $0.email.utf8.elementsEqual(bytes) } ?? found.owner
    }
}
