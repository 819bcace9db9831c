import NephosDomain
package import NephosRunner
import NephosStorage

/// Feature flags: records of the public database, evaluated on the server for clients that call it by OFREP (docs/flags.md).
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
                endpoints: Flags.endpoints(host, FlagCache(host.indexes)), jobs: [.foldSchedules(host.worker)])
        }
        feature.checkSchema = { move throws(AdminError) in try move.checkFlags() }
        feature.leaving = { person in try await person.leaveFlagHistory() }
        return feature
    }()
}

/// Names that all parts of the feature share.
enum Flags {
    /// The name of the feature, its section and its news.
    static let name = "flags"
    /// The public database.
    static let database: DatabaseNumber = 1
    /// Posted with every change of a flag. The number is that of the database.
    static let topic = Topic(name, database)
}
