public import Foundation
import NephosTransport

/// How the changes of one zone are fetched. Write `CKFetchRecordZoneChangesOperation.ZoneConfiguration`.
public final class CKFetchRecordZoneChangesConfiguration: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    struct Members: Sendable {
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

    public func copy(with zone: NSZone? = nil) -> Any { CKFetchRecordZoneChangesConfiguration(members) }

    public static var supportsSecureCoding: Bool { true }

    public func encode(with coder: NSCoder) {
        let members = members
        coder.encodeIfAny(members.token, forKey: "token")
        coder.encodeIfAny(members.limit.map { NSNumber(value: $0) }, forKey: "limit")
        coder.encodeIfAny(members.desiredKeys.map { NSArray(array: $0.map { $0 as NSString }) }, forKey: "desiredKeys")
    }

    public required convenience init?(coder: NSCoder) {
        var keys: [String]?
        if coder.containsValue(forKey: "desiredKeys") {
            keys = coder.decodeObject(of: [NSArray.self, NSString.self], forKey: "desiredKeys") as? [String]
        }
        self.init(
            Members(
                token: coder.decodeIfAny(CKServerChangeToken.self, forKey: "token"),
                limit: coder.decodeIfAny(NSNumber.self, forKey: "limit")?.intValue, desiredKeys: keys))
    }
}
