import NephosDomain
package import NephosRunner
import NephosStorage

/// Content that is published at a time of its own, by the server's clock, to whom it is for (docs/content.md).
extension Feature {
    package static let content: Feature = {
        var feature = Feature(
            Content.name,
            rules: RuleBook(
                records: [ContentRule()], visibility: [ContentGate()], sections: [CatalogSection.content]),
            useCases: [.content]
        ) { host in FeatureService(endpoints: [Content.publishing], jobs: [.noteMoments(host.worker)]) }
        feature.guards = [.content]
        return feature
    }()
}

/// Names that all its parts share.
enum Content {
    /// Of the feature, of its section, and of its job.
    static let name = "content"
    /// The public database: content is there.
    static let database: DatabaseNumber = 1
}
