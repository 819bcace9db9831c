import NephosDomain
package import NephosRunner
import NephosStorage

/// Messages that an app shows to its people: records of the public database, answered to whoever asks (docs/messages.md).
extension Feature {
    package static let messages: Feature = {
        var feature = Feature(
            Messages.name, tables: [SeenRow.self, MessageSaltRow.self],
            rules: RuleBook(
                records: [MessageRule()], visibility: [MessageGate()], sections: [CatalogSection.messages]),
            useCases: [.messages]
        ) { host in
            FeatureService(endpoints: [Messages.current(MessageMemory(host.indexes)), Messages.seen])
        }
        feature.guards = [.messages]
        return feature
    }()
}

/// Names that all its parts share.
enum Messages {
    /// Of the feature, of its section and of its news.
    static let name = "messages"
    /// The public database.
    static let database: DatabaseNumber = 1
    /// Posted with every change of a message: the number says which messages are meant.
    static let topic = Topic(name, database)
}
