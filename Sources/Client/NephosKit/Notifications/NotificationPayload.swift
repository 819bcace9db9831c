import Foundation

/// The parts of a payload (docs/protocol.md, "Notifications").
struct NotificationPayload: @unchecked Sendable {
    /// The raw value is the payload's member that says so.
    enum Kind: String, CaseIterable { case query = "qry", recordZone = "fet", database = "met" }

    /// What the system shows.
    let system: [String: Any]
    let kind: Kind?
    /// What fired, and what it says.
    let event: [String: Any]
    private let members: [String: Any]

    /// Nil for what is none of CloudKit's.
    init?(_ dictionary: [AnyHashable: Any]) {
        guard let members = dictionary["ck"] as? [String: Any] else { return nil }
        self.members = members
        system = dictionary["aps"] as? [String: Any] ?? [:]
        kind = Kind.allCases.first { members[$0.rawValue] is [String: Any] }
        event = kind.flatMap { members[$0.rawValue] as? [String: Any] } ?? [:]
    }

    func string(_ key: String) -> String? { members[key] as? String }
    func number(_ key: String) -> Int? { (members[key] as? NSNumber)?.intValue }

    /// A part of the alert, which is a text alone where it has no other.
    func alert(_ key: String) -> String? {
        if key == "body", let text = system["alert"] as? String { return text }
        return (system["alert"] as? [String: Any])?[key] as? String
    }

    func alerts(_ key: String) -> [String]? { (system["alert"] as? [String: Any])?[key] as? [String] }

    /// The numbers of Nephos; Apple's are told in several ways, of which 3 can only be the shared database.
    var scope: CKDatabaseScope {
        switch (event["dbs"] as? NSNumber)?.intValue {
        case 0: .public
        case 2, 3: .shared
        default: .private
        }
    }

    /// A zone of one's own shows without one's name.
    var zoneID: CKRecordZoneID? {
        guard let name = event["zid"] as? String else { return nil }
        let owner = event["zoid"] as? String
        let isOwn = owner == nil || owner == string("ckuserid") || owner == "_defaultOwner" || scope == .public
        return CKRecordZoneID(zoneName: name, ownerName: isOwn ? CKCurrentUserDefaultName : owner ?? "")
    }
}
