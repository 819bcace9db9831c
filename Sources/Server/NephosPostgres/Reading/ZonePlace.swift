import CloudKitWire
import NephosStorage

/// Zones inside statements about other tables. A statement finds the zone itself, so that a zone that is named by its
/// name costs no round trip.
enum ZonePlace {
    /// The number of the zone whose key is `$1`, `$2` and `$3` (``Values/add(_:in:)``); null where there is no such
    /// zone.
    static let number = "coalesce($2::bigint, (\(liveNumber("$1", "$3"))))"

    /// SQL for the number of the live zone of a name.
    static func liveNumber(_ database: String, _ name: String) -> String {
        "SELECT zone_no FROM zones AS z WHERE z.db = \(database) AND z.name = \(name) AND z.state = 0"
    }
}

extension Values {
    /// Adds the key of a zone as three values: its database, its number or null, its name or null.
    ///
    /// - Parameter stored: The column `db` of its database.
    mutating func add(_ key: ZoneKey, in stored: Int64) {
        add(stored)
        switch key {
        case .number(_, let number):
            add(number)
            addNull()
        case .name(_, let name):
            addNull()
            add(name)
        }
    }
}

/// The zones of many keys, each once. Keys name them by their places here, which count from 1.
struct ZonePlaces {
    /// The zones as a table `zone (place, db, zone_no)` of a statement, from `$1`, `$2` and `$3`. A name that no live
    /// zone has leaves `zone_no` null.
    static let table = """
        zone (place, db, zone_no) AS MATERIALIZED (
            SELECT key.place, key.db, coalesce(key.zone_no, (\(ZonePlace.liveNumber("key.db", "key.name"))))
            FROM unnest($1::bigint[], $2::bigint[], $3::bytea[]) WITH ORDINALITY AS key (db, zone_no, name, place)
        )
        """

    private var databases: [Int64] = []
    private var numbers: [Int64?] = []
    private var names: [Name?] = []
    private var places: [ZoneKey: Int64] = [:]
    /// Mostly all keys are of one zone.
    private var last: (key: ZoneKey, place: Int64)?

    mutating func place(of key: ZoneKey, _ tenant: TenantNumber) throws(StorageError) -> Int64 {
        if let last, last.key == key { return last.place }
        if let place = places[key] { return place }
        databases.append(try tenant.stored(key.database))
        switch key {
        case .number(_, let number):
            numbers.append(number)
            names.append(nil)
        case .name(_, let name):
            numbers.append(nil)
            names.append(name)
        }
        let place = Int64(databases.count)
        places[key] = place
        last = (key, place)
        return place
    }

    /// Adds what ``table`` is made from.
    func add(to values: inout Values) {
        values.add(numbers: databases)
        values.add(optionalNumbers: numbers)
        values.add(optionalNames: names)
    }
}
