import CloudKitWire
import NephosDomain
import NephosStorage

extension CatalogSection<String> {
    /// The file as it was imported, with its comments: it is handed out again as long as it says what the sections say. Each environment has its own: in production, where most
    /// sections come with the schema, there may be none.
    static let settingsText = CatalogSection("settings", isDeployed: false) { document throws(SectionFailure) in
        String(decoding: document, as: UTF8.self)
    }
}
