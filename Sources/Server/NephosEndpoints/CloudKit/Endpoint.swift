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
    case subscriptionsList = "subscriptions/list"
    case subscriptionsLookup = "subscriptions/lookup"
    case subscriptionsModify = "subscriptions/modify"
    case tokensCreate = "tokens/create"
    case tokensRegister = "tokens/register"
    /// What `webcourierURL` leads to.
    case courier = "aps"
    case assetsUpload = "assets/upload"
    case assetsRereference = "assets/rereference"
    case usersCaller = "users/caller"
    case usersCurrent = "users/current"

    /// Listing calls are answered to GET, and to POST with an empty object since some clients always POST.
    var acceptsGET: Bool {
        switch self {
        case .zonesList, .subscriptionsList, .courier, .usersCaller, .usersCurrent: true
        case .recordsQuery, .recordsLookup, .recordsModify, .recordsChanges, .zonesLookup, .zonesModify,
            .zonesChanges, .changesDatabase, .changesZone, .subscriptionsLookup, .subscriptionsModify,
            .tokensCreate, .tokensRegister, .assetsUpload, .assetsRereference:
            false
        }
    }

    /// Whether only somebody in particular may ask, whatever the request says.
    var needsUser: Bool {
        switch self {
        case .recordsModify, .subscriptionsList, .subscriptionsLookup, .subscriptionsModify, .tokensCreate,
            .tokensRegister, .assetsUpload, .assetsRereference:
            true
        case .recordsQuery, .recordsLookup, .recordsChanges, .zonesList, .zonesLookup, .zonesModify, .zonesChanges,
            .changesDatabase, .changesZone, .courier, .usersCaller, .usersCurrent:
            false
        }
    }

    /// Whether it belongs to a device, and not to a database: its paths begin with `/device`, and with `/database` too
    /// where clients in the field send it so.
    var isOfDevice: Bool {
        switch self {
        case .tokensCreate, .tokensRegister, .courier: true
        default: false
        }
    }

    func accepts(_ method: RequestMethod) -> Bool { method == .post || (acceptsGET && method == .get) }

    var allow: String { acceptsGET ? "GET, POST, OPTIONS" : "POST, OPTIONS" }
}
