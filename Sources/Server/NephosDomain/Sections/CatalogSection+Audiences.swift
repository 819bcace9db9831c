public import Audience
import CloudKitWire
public import NephosStorage

extension CatalogSection<AudienceBook> {
    /// The audiences that conditions refer to by name, for all features that select by one.
    public static let audiences = CatalogSection("audiences", isDeployed: true) { json throws(WireError) in
        try AudienceBook(&json)
    }
}

extension Catalog {
    /// The audiences in the settings.
    ///
    /// - Throws: If the settings cannot be parsed.
    public func audiences() throws(SectionFailure) -> AudienceBook { try value(of: .audiences) ?? .empty }
}
