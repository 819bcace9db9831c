import NephosDomain
package import NephosRunner
import NephosStorage

/// Messages that an app shows to its people: records of the public database, served to clients on request (docs/messages.md).
extension Feature {
    package static let messages: Feature = {
        var feature = Feature(
            Messages.name,
            tables: [
                SeenRow.self, MessageSaltRow.self, MessageVersion.self, MessageNoteRow.self, MirrorRow.self,
                PreviewLinkRow.self,
            ],
            rules: RuleBook(
                records: [MessageRule(), RecordVersions.messages, MirrorRule()], visibility: [MessageGate()],
                sections: [CatalogSection.messages]),
            useCases: [.messages]
        ) { host in
            let memory = MessageCache(host.indexes)
            let following = FollowMirror(
                worker: host.worker, memory: memory, files: host.files, randomSource: host.randomSource)
            return FeatureService(
                endpoints: [Messages.current(memory), Messages.seen(), Messages.preview(host)],
                jobs: [
                    .noteMoments(
                        Messages.name, host.worker,
                        of: { catalog in (try? catalog.messages()).flatMap { $0 }.map { [$0.type] } }),
                    .forgetSeen(host.worker), .followMirror(following, failed: host.failed),
                    ForgetPreviews.job(host.worker),
                ])
        }
        feature.guards = [.messages]
        feature.leaving = { person in
            try await person.remove(versionsOf: MessageVersions.self)
            try await SeenRow.remove(of: person)
        }
        return feature
    }()
}

/// Names that all parts of the feature share.
enum Messages {
    /// The name of the feature, its section and its news.
    static let name = "messages"
    /// The public database.
    static let database: DatabaseNumber = 1
    /// Posted with every change of a message. The number is that of the database.
    static let topic = Topic(name, database)
}
