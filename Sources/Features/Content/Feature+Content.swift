import NephosDomain
package import NephosRunner
import NephosStorage

/// Content that is published at a set time, by the server's clock, to its audience (docs/content.md).
extension Feature {
    package static let content: Feature = {
        var feature = Feature(
            Content.name,
            tables: [
                PickItemRow.self, PickGroupRow.self, PickIndexRow.self, GoneRow.self, ContentVersion.self,
            ],
            rules: RuleBook(
                records: [ContentRule(), RecordVersions.content, FollowPicks()], visibility: [ContentGate()],
                sections: [CatalogSection.content]
            ),
            useCases: [.content])
        feature.prepare = { settings in
            { host in
                let memory = PickCache()
                return FeatureService(
                    endpoints: [
                        Content.publishing, Content.choosing, Content.picking(memory), Content.listing(memory),
                    ],
                    jobs: settings.isQuiet
                        ? []
                        : [
                            .noteMoments(
                                Content.name, host.worker,
                                of: { catalog in (try? catalog.content()).map { Array($0.types.keys) } }),
                            .sortPicks(host.worker),
                        ])
            }
        }
        feature.guards = [.content]
        feature.leaving = { person in try await person.remove(versionsOf: ContentVersions.self) }
        feature.check = { administration, store throws(AdminError) in
            try PickCheck(administration, store).findings()
        }
        feature.jobOfSchema = Content.picks
        return feature
    }()
}

/// Names that all parts of the feature share.
enum Content {
    /// The name of the feature, its section, and its job.
    static let name = "content"
    /// The job that sorts what may be picked.
    static let picks = "content-picks"
    /// The public database, which contains all content.
    static let database: DatabaseNumber = 1
}
