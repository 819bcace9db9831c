package import NephosRunner
import NephosStorage

/// An address that several accounts have, in different spellings.
package struct SharedAddress: Sendable, Equatable {
    /// For people.
    package let address: String
    /// The ids of the accounts, the one that was created first before the others.
    package let accounts: [String]
}

extension Administration {
    /// Accounts per page of a walk.
    private static let accountsPage = 1_000

    /// Addresses that several accounts have: earlier versions compared only upper and lower case.
    package func sharedAddresses() throws(AdminError) -> [SharedAddress] {
        var accounts: [String: [AccountRow]] = [:]
        var page: [AccountRow] = []
        repeat {
            let last = page.last?.email
            page = try stored { () throws(StorageError) in try engine.accounts(after: last, limit: Self.accountsPage) }
            for account in page where !account.isPlain {
                accounts[EmailAddress.text(of: account.email), default: []].append(account)
            }
        } while !page.isEmpty
        var all: [SharedAddress] = []
        for (address, found) in accounts.sorted(by: { $0.key < $1.key }) {
            let plain = try stored { () throws(StorageError) in try engine.account(email: address) }
            let rows = (found + (plain.map { $0.isPlain ? [$0] : [] } ?? [])).byAge
            if let owner = rows.first, rows.count > 1 {
                all.append(SharedAddress(address: owner.shownEmail, accounts: rows.map(\.id)))
            }
        }
        return all
    }
}

extension AccountRow {
    /// Whether its address has no other spelling than upper and lower case.
    fileprivate var isPlain: Bool { email.utf8.allSatisfy { $0 < 0x80 } && !email.contains("xn--") }
}
