import CloudKitWire
import NephosDomain
import NephosStorage

extension CatalogSection<String> {
    /// The file as imported, with its comments: it is exported again as long as its contents match the sections. Each environment
    /// has its own; in production, where most sections arrive with the schema, there may be none.
    static let settingsText = CatalogSection(
        "settings", isDeployed: false, uses: { _ in [] }, effects: { _, _ in [] }
    ) { document throws(SectionFailure) in
        String(decoding: document, as: UTF8.self)
    }
}
