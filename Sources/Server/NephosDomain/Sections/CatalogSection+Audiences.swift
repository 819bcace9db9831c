public import Audience
import CloudKitWire

extension CatalogSection<AudienceBook> {
    /// Whom conditions mean by a name, for all features that select by one.
    public static let audiences = CatalogSection("audiences", isDeployed: true) { json throws(WireError) in
        try AudienceBook(&json)
    }
}
