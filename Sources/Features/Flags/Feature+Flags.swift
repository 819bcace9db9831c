import NephosDomain
package import NephosRunner
import NephosStorage

/// Feature flags: records of the public database, evaluated on the server for whoever asks by OFREP (docs/flags.md).
extension Feature {
    package static let flags: Feature = {
        var feature = Feature(
            Flags.name, tables: [FlagChangeRow.self],
            rules: RuleBook(
                records: [FlagSaves(), RecordVersions.flags, FlagMirror(), FlagSchedules()],
                sections: [CatalogSection.flags]),
            useCases: [.flags]
        ) { host in
            FeatureService(
                endpoints: Flags.endpoints(host, FlagMemory(host.indexes)), jobs: [.foldSchedules(host.worker)])
        }
        feature.leaving = { person in try await person.leaveFlagHistory() }
        return feature
    }()
}

/// Names that all its parts share.
enum Flags {
    /// Of the feature, of its section and of its news.
    static let name = "flags"
    /// The public database.
    static let database: DatabaseNumber = 1
    /// Posted with every change of a flag: the number says which flags are meant.
    static let topic = Topic(name, database)
}
