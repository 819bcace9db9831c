import CloudKitWire
import NephosStorage

/// Zones inside statements about other tables. A statement finds the zone itself, so that a zone that is identified by its
/// name costs no round trip.
enum ZonePlace {
    /// The number of the zone whose key is `$1`, `$2` and `$3` (``ZoneParameters``); null if there is no such zone.
    static let number = "coalesce($2::bigint, (\(liveNumber("$1", "$3"))))"

    /// SQL for the number of the live zone of a name.
    static func liveNumber(_ database: String, _ name: String) -> String {
        "SELECT zone_no FROM zones AS z WHERE z.db = \(database) AND z.name = \(name) AND z.state = 0"
    }
}

/// The key of a zone as three values: its database, its number or null, its name or null.
struct ZoneParameters: Parameter {
    let stored: Int64
    let key: ZoneKey

    func add(to values: inout Values) {
        values.add(stored)
        switch key {
        case .number(_, let number):
            values.add(number)
            values.addNull()
        case .name(_, let name):
            values.addNull()
            values.add(name)
        }
    }
}

extension ZoneKey {
    func place(_ tenant: TenantNumber) throws(StorageError) -> ZoneParameters {
        ZoneParameters(stored: try tenant.stored(database), key: self)
    }
}

/// The zones of many keys of one database, each once. Keys refer to them by their positions here, which count from 1.
struct ZonePlaces: Parameter {
    /// The zones as a table `zone (place, zone_no)` of a statement, from `$1`, `$2` and `$3`. For a name without a live zone,
    /// `zone_no` is null.
    static let table = """
        zone (place, zone_no) AS MATERIALIZED (
            SELECT key.place, coalesce(key.zone_no, z.zone_no)
            FROM unnest($2::bigint[], $3::bytea[]) WITH ORDINALITY AS key (zone_no, name, place)
            LEFT JOIN zones AS z ON z.db = $1 AND z.name = key.name AND z.state = 0
        )
        """

    private let stored: Int64
    private var numbers: [Int64?] = []
    private var names: [Name?] = []
    private var places: [ZoneKey: Int64] = [:]
    /// Usually all keys are of one zone.
    private var last: (key: ZoneKey, place: Int64)?

    /// - Parameter stored: The column `db` of the database.
    init(stored: Int64) { self.stored = stored }

    mutating func place(of key: ZoneKey) -> Int64 {
        if let last, last.key == key { return last.place }
        if let place = places[key] { return place }
        switch key {
        case .number(_, let number):
            numbers.append(number)
            names.append(nil)
        case .name(_, let name):
            numbers.append(nil)
            names.append(name)
        }
        let place = Int64(numbers.count)
        places[key] = place
        last = (key, place)
        return place
    }

    /// Adds the parameters of ``table``.
    func add(to values: inout Values) {
        values.add(stored)
        values.add(members: numbers)
        values.add(members: names)
    }
}

/// The zones of a statement of which only some shares are visible (``ReadSet/within``), as two parameters: the positions of these zones
/// (``ZonePlaces``), and all of these shares. The numbers of shares are unique in a database, so one list serves several zones.
struct VisibleShares: Parameter {
    private var zones: [Int64] = []
    private var shares: [ShareNumber] = []

    var isEmpty: Bool { zones.isEmpty }

    mutating func add(_ zone: Int64, _ shares: [ShareNumber]?) {
        guard let shares, !zones.contains(zone) else { return }
        zones.append(zone)
        self.shares += shares
    }

    func add(to values: inout Values) {
        zones.add(to: &values)
        shares.add(to: &values)
    }

    /// SQL for whether a record of a zone is visible.
    ///
    /// - Parameters:
    ///   - first: The number of the first of the two parameters.
    ///   - place: The position of the zone.
    ///   - share: The column of the record.
    static func condition(_ first: Int, place: String, share: String) -> String {
        "(\(place) <> ALL($\(first)::bigint[]) OR coalesce(\(share) = ANY($\(first + 1)::bigint[]), false))"
    }
}
