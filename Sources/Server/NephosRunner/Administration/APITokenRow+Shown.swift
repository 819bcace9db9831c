import CloudKitWire
package import NephosStorage

extension APITokenRow {
    /// The id for people, the beginning of the token's hash: it grants no access.
    package var shownID: String { Hexadecimal.text(hash.prefix(8)) }

    /// What an app is called in lists.
    package var shownName: String { name.isEmpty ? shownID : name }
}
