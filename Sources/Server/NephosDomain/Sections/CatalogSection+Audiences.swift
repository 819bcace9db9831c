public import Audience
import CloudKitWire
public import NephosStorage

extension CatalogSection<AudienceBook> {
    /// Whom conditions mean by a name, for all features that select by one.
    public static let audiences = CatalogSection("audiences", isDeployed: true) { json throws(WireError) in
        try AudienceBook(&json)
    }
}

extension Catalog {
    /// Those that the settings name.
    ///
    /// - Throws: Where the settings cannot be read.
    public func audiences() throws(SectionFailure) -> AudienceBook { try value(of: .audiences) ?? .empty }
}
