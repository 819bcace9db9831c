import NephosDomain
package import NephosRunner
import NephosStorage

/// Conditions for the contents of records, and limits for their number: enforced in the transaction of every save, regardless of
/// the caller (docs/constraints.md).
extension Feature {
    package static let constraints: Feature = {
        var feature = Feature(
            Constraints.name, tables: [ClaimRow.self, VerifiedConstraintRow.self],
            rules: RuleBook(records: [ValueRule(), ClaimRule()], sections: [CatalogSection.constraints])
        ) { host in FeatureService(jobs: [.sweepClaims(host.worker)]) }
        feature.guards = [.constraints]
        feature.check = { administration, store throws(AdminError) in
            try ClaimCheck(administration, store).findings()
        }
        return feature
    }()
}

/// Names that all parts of the feature share.
enum Constraints {
    /// The name of the feature, its section, its job, and its annex in heads.
    static let name = "constraints"
}
