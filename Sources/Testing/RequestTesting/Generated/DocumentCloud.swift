import NephosAdmin
import NephosConstraints
import NephosContent
import NephosDomain
import NephosFlags
import NephosMessages
import NephosRunner
import NephosSettings
import NephosStorage
import NephosTrends

/// A ``SmallCloud`` with the features that documents configure, and a type for the records of each.
package final class DocumentCloud: Sendable {
    package let cloud: SmallCloud
    /// With the features.
    let administration: Administration

    static let schema = SmallCloud.schema.replacing(
        "RECORD TYPE Note",
        with: """
            RECORD TYPE FeatureFlag (
                "___recordID" REFERENCE QUERYABLE,
                state STRING, kind STRING, variants STRING, offVariant STRING, defaultVariant STRING, rules STRING,
                prerequisites STRING, schedule STRING, salt STRING,
                GRANT READ, CREATE, WRITE TO "_icloud"
            );
            RECORD TYPE Chibi (
                "___recordID" REFERENCE QUERYABLE,
                title STRING, publishedAt TIMESTAMP QUERYABLE, until TIMESTAMP, every STRING, access LIST<STRING>,
                audience STRING, weight INT64, collection STRING,
                GRANT READ TO "_world", GRANT CREATE TO "_icloud", GRANT WRITE TO "_creator"
            );
            RECORD TYPE Message (
                "___recordID" REFERENCE QUERYABLE,
                kind STRING, title STRING, body STRING, buttons STRING, list STRING, url STRING, mailTo STRING,
                mailSubject STRING, product STRING, requires STRING, emoji STRING, image ASSET, imageLabel STRING,
                decorative INT64, audience STRING, slot STRING, priority INT64, publishedAt TIMESTAMP, until TIMESTAMP,
                GRANT READ TO "_world", GRANT CREATE TO "_icloud", GRANT WRITE TO "_creator"
            );
            RECORD TYPE Note
            """)

    package init() async throws {
        let features: [Feature] = [.settings, .constraints, .content, .flags, .messages, .trends]
        cloud = try await SmallCloud(features: features)
        administration = Administration(engine: cloud.engine, inputs: cloud.inputs.ofOperator, features: features)
        _ = try await administration.importSchema(Array(Self.schema.utf8), into: SmallCloud.tenant)
    }

    /// Imports a file of settings, as the command does.
    func importSettings(_ text: String) async throws {
        let store = try administration.store(SmallCloud.tenant)
        let catalog = try administration.read(store).catalog
        let settings = ContainerSettings(catalog)
        let (change, documents) = try settings.change(to: text, in: .development, by: "ada", now: cloud.inputs.now)
        _ = try await administration.changing(documents, from: catalog, of: store, progress: { _ in }) {
            version throws(AdminError) in
            try await administration.commit(to: store, at: version, change.reading, change.decide)
        }
    }
}
