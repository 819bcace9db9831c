public import Audience
import CloudKitWire
public import NephosStorage

extension CatalogSection<AudienceBook> {
    /// The audiences that conditions refer to by name, for all features that select by one.
    public static let audiences = CatalogSection(
        "audiences", isDeployed: true, uses: { _ in [] }, effects: { old, new in effects(old ?? .empty, new ?? .empty) }
    ) { json throws(WireError) in
        try AudienceBook(&json)
    }

    /// Whom audiences include that they did not, and the other way around.
    private static func effects(_ old: AudienceBook, _ new: AudienceBook) -> [SectionEffect] {
        Set(old.names + new.names).sorted().compactMap { name in
            // What names a missing audience is for nobody.
            let nobody = Condition.any([])
            let (before, after) = (old.resolved(name) ?? nobody, new.resolved(name) ?? nobody)
            guard before != after else { return nil }
            return after.implies(before)
                ? SectionEffect(.hides, "\(name) includes fewer people", ofAudience: name)
                : SectionEffect(.reveals, "\(name) includes other people", ofAudience: name)
        }
    }
}

extension Catalog {
    /// The audiences in the settings.
    ///
    /// - Throws: If the settings cannot be parsed.
    public func audiences() throws(SectionFailure) -> AudienceBook { try value(of: .audiences) ?? .empty }
}
