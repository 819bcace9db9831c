import NIOHTTP1

/// The endpoints of this server, by the path behind the database segment.
enum Endpoint: String, CaseIterable {
    case recordsQuery = "records/query"
    case recordsLookup = "records/lookup"
    case recordsModify = "records/modify"
    case recordsChanges = "records/changes"
    case zonesList = "zones/list"
    case zonesLookup = "zones/lookup"
    case zonesModify = "zones/modify"
    case zonesChanges = "zones/changes"
    case changesDatabase = "changes/database"
    case changesZone = "changes/zone"
    case usersCaller = "users/caller"
    case usersCurrent = "users/current"

    /// Listing calls are answered to GET, and to POST with an empty object since some clients always POST.
    var acceptsGET: Bool {
        switch self {
        case .zonesList, .usersCaller, .usersCurrent: true
        case .recordsQuery, .recordsLookup, .recordsModify, .recordsChanges, .zonesLookup, .zonesModify,
            .zonesChanges, .changesDatabase, .changesZone:
            false
        }
    }

    func accepts(_ method: HTTPMethod) -> Bool { method == .POST || (acceptsGET && method == .GET) }

    var allow: String { acceptsGET ? "GET, POST, OPTIONS" : "POST, OPTIONS" }
}
