import NephosAdmin
import NephosStorage

/// API tokens or keys for people.
struct CredentialTable {
    let text: String

    init(_ listings: [CredentialListing]) {
        let rows = listings.map { listing in
            [
                listing.id, listing.name.isEmpty ? "-" : listing.name, listing.createdAt.asDate,
                listing.lastDay.asDay, listing.revokedAt == 0 ? "-" : listing.revokedAt.asDate,
            ]
        }
        text = Table(["id", "name", "made", "last used", "revoked"], rows).text
    }
}

extension Int64? {
    /// A number of days since 1970 as a date; a dash for none.
    var asDay: String { map { String(($0 * 86_400_000).asDate.prefix(10)) } ?? "-" }
}
