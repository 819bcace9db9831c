import NephosDomain
package import NephosRunner
import NephosStorage

/// What records must say, and how many there may be: kept in the transaction of every save, whoever saves (docs/constraints.md).
extension Feature {
    package static let constraints: Feature = {
        var feature = Feature(
            Constraints.name, tables: [ClaimRow.self, KeptConstraintRow.self],
            rules: RuleBook(records: [ValueRule(), ClaimRule()], sections: [CatalogSection.constraints])
        ) { host in FeatureService(jobs: [.sweepClaims(host.worker)]) }
        feature.guards = [.constraints]
        feature.check = { administration, store throws(AdminError) in
            try ClaimCheck(administration, store).findings()
        }
        return feature
    }()
}

/// Names that all its parts share.
enum Constraints {
    /// Of the feature, of its section, its job, and what it keeps in heads.
    static let name = "constraints"
}
