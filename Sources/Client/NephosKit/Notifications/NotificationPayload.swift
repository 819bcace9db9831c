import Foundation

/// The parts of a payload (docs/protocol.md, "Notifications").
struct NotificationPayload: @unchecked Sendable {
    /// The kind of subscription. The raw value is the name of the payload's member that contains the event.
    enum Kind: String, CaseIterable { case query = "qry", recordZone = "fet", database = "met" }

    /// What the system shows.
    let system: [String: Any]
    let kind: Kind?
    /// The subscription that fired, and what it reports.
    let event: [String: Any]
    private let members: [String: Any]

    /// Returns nil for a payload that is not CloudKit's.
    init?(_ dictionary: [AnyHashable: Any]) {
        guard let members = dictionary["ck"] as? [String: Any] else { return nil }
        self.members = members
        system = dictionary["aps"] as? [String: Any] ?? [:]
        kind = Kind.allCases.first { members[$0.rawValue] is [String: Any] }
        event = kind.flatMap { members[$0.rawValue] as? [String: Any] } ?? [:]
    }

    func string(_ key: String) -> String? { members[key] as? String }
    func number(_ key: String) -> Int? { (members[key] as? NSNumber)?.intValue }

    /// Returns a part of the alert. An alert that is only a text is its own body.
    func alert(_ key: String) -> String? {
        if key == "body", let text = system["alert"] as? String { return text }
        return (system["alert"] as? [String: Any])?[key] as? String
    }

    func alerts(_ key: String) -> [String]? { (system["alert"] as? [String: Any])?[key] as? [String] }

    /// Maps the numbers of Nephos. Apple's numbers are described in different ways, but 3 can only be the shared
    /// database.
    var scope: CKDatabaseScope {
        switch (event["dbs"] as? NSNumber)?.intValue {
        case 0: .public
        case 2, 3: .shared
        default: .private
        }
    }

    /// The owner of the person's own zones, and of zones in the public database, is ``CKCurrentUserDefaultName``.
    var zoneID: CKRecordZoneID? {
        guard let name = event["zid"] as? String else { return nil }
        let owner = event["zoid"] as? String
        let isOwn = owner == nil || owner == string("ckuserid") || owner == "_defaultOwner" || scope == .public
        return CKRecordZoneID(zoneName: name, ownerName: isOwn ? CKCurrentUserDefaultName : owner ?? "")
    }
}
