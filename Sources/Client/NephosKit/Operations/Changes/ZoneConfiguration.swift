import CloudKitWire
public import Foundation
import NephosTransport

/// How the changes of one zone are fetched. Write `CKFetchRecordZoneChangesOperation.ZoneConfiguration`. Configurations
/// are compared by value.
public final class CKFetchRecordZoneChangesConfiguration: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    struct Members: Sendable, Hashable {
        var token: CKServerChangeToken?
        /// The maximum number of changes per page; nil leaves it to the server.
        var limit: Int?
        var desiredKeys: [CKRecord.FieldKey]?
    }

    private let stored: Locked<Members>
    var members: Members { stored.value }

    init(_ members: Members) { stored = Locked(members) }

    public override convenience init() { self.init(Members()) }

    /// Creates a configuration. By default, it starts at the beginning, leaves the limit to the server and fetches all
    /// fields.
    public convenience init(
        previousServerChangeToken: CKServerChangeToken? = nil, resultsLimit: Int? = nil,
        desiredKeys: [CKRecord.FieldKey]? = nil
    ) {
        self.init(Members(token: previousServerChangeToken, limit: resultsLimit, desiredKeys: desiredKeys))
    }

    /// The token at which the previous fetch ended; nil starts at the beginning.
    public var previousServerChangeToken: CKServerChangeToken? {
        get { members.token }
        set { stored.withLock { $0.token = newValue } }
    }
    /// The maximum number of changes per page; 0 leaves it to the server.
    public var resultsLimit: Int {
        get { members.limit ?? 0 }
        set { stored.withLock { $0.limit = newValue } }
    }
    /// The fields to fetch; nil for all.
    public var desiredKeys: [CKRecord.FieldKey]? {
        get { members.desiredKeys }
        set { stored.withLock { $0.desiredKeys = newValue } }
    }

    public override func isEqual(_ object: Any?) -> Bool {
        (object as? CKFetchRecordZoneChangesConfiguration)?.members == members
    }

    /// Changes with each member: do not change an object while it is in a set or the key of a dictionary.
    public override var hash: Int { members.hashValue }

    public func copy(with zone: NSZone? = nil) -> Any { CKFetchRecordZoneChangesConfiguration(members) }

    public static var supportsSecureCoding: Bool { true }

    public func encode(with coder: NSCoder) {
        let members = members
        coder.encodeContent(forKey: "CKFetchRecordZoneChangesConfiguration") { writer in
            writer.archive("token", members.token?.text)
            writer.archive("limit", members.limit)
            writer.archive("desiredKeys", members.desiredKeys)
        }
    }

    /// Returns nil for an archive that contains no configuration.
    public required convenience init?(coder: NSCoder) {
        var members = Members()
        let isRead = coder.decodeContent(forKey: "CKFetchRecordZoneChangesConfiguration") {
            reader, key throws(WireError) in
            switch key {
            case "token": members.token = CKServerChangeToken(try reader.archived())
            case "limit": members.limit = try reader.archived()
            case "desiredKeys": members.desiredKeys = try reader.archived()
            default: break
            }
        }
        guard isRead else { return nil }
        self.init(members)
    }
}
