import CloudKitWire
import NephosStorage

/// Many users with a device each and subscriptions in the public database, written through the storage contract: creating a hundred
/// thousand of them over HTTP would take longer than the measurement.
struct Crowd: Sendable {
    /// A subscription of a user: its name, and the filter of its query.
    struct Subscription: Sendable {
        var name: String
        var filter: String
    }

    /// One for each user, in order.
    private(set) var devices: [DeviceKey] = []

    private static let batch = 500
    private static let publicDatabase: DatabaseNumber = 1

    /// Adds this many users.
    ///
    /// - Parameter subscriptions: The subscriptions of a user by number, from 0 on.
    /// - Throws: ``StorageError``.
    mutating func add(
        _ count: Int, to store: any TenantStore, _ subscriptions: @escaping @Sendable (Int) -> [Subscription]
    )
        async throws
    {
        let first = devices.count
        for start in stride(from: first, to: first + count, by: Self.batch) {
            let numbers = start..<min(start + Self.batch, first + count)
            var set = ReadSet()
            set.databases = [Self.publicDatabase]
            devices += try await store.commit(set) { reading in try Self.people(numbers, subscriptions, reading) }
        }
    }

    private static func people(
        _ numbers: Range<Int>, _ subscriptions: (Int) -> [Subscription], _ reading: Reading
    ) throws -> Decision<[DeviceKey]> {
        guard var head = reading.databases[0] else { throw Wrk.Failure(description: "no public database") }
        var set = WriteSet()
        for number in numbers {
            let user = UserID(high: 0xC0FFEE, low: UInt64(number))
            let home = reading.catalog.head.lastDatabase + 1 + Int64(set.databases.count)
            add(user, number, home, to: &set)
            for subscription in subscriptions(number) {
                head.sequence += 1
                set.put(
                    SubscriptionRow(
                        database: head.database, user: user, name: Name(subscription.name), sequence: head.sequence,
                        kind: .query, createdAt: 1, dictionary: Bytes(subscription.dictionary)))
            }
        }
        set.heads = [head]
        return .write(set, set.changes(of: DeviceRow.self).compactMap { $0.new?.key })
    }

    /// A user with a private database and a device that polls for notifications.
    private static func add(_ user: UserID, _ number: Int, _ home: DatabaseNumber, to set: inout WriteSet) {
        set.users.append(
            UserRow(id: user, source: .account, sourceID: "crowd-\(number)", privateDatabase: home, createdAt: 1))
        var head = HeadRow(database: home, kind: .personal, owner: user)
        head.sequence = 1
        head.zoneNumber = 1
        head.time = 1
        set.databases.append(head)
        let zone = ZoneRow(
            database: home, number: 1, name: defaultZoneName, createdSequence: 1, changedSequence: 1, createdAt: 1)
        set.zones.append(ZoneWrite(old: nil, new: zone))
        let id = withUnsafeBytes(of: (UInt64(0xDE71CE).bigEndian, UInt64(number).bigEndian)) { Array($0) }
        // Last seen long after the run, so that the device does not expire.
        set.put(
            DeviceRow(
                key: DeviceKey(database: home, user: user, id: id), channel: .courier, createdAt: 1,
                usedAt: 4_000_000_000_000))
    }
}

extension Crowd.Subscription {
    /// The subscription as the server stores it.
    fileprivate var dictionary: String {
        #"{"subscriptionID":"\#(name)","subscriptionType":"query","query":{"recordType":"Item","filterBy":[\#(filter)]},"#
            + #""zoneWide":true,"firesOn":["create"],"firesOnce":false}"#
    }

    static func number(_ value: Int) -> Crowd.Subscription {
        Crowd.Subscription(
            name: "number",
            filter: #"{"fieldName":"number","comparator":"EQUALS","fieldValue":{"value":\#(value),"type":"INT64"}}"#)
    }

    static func group(_ name: String) -> Crowd.Subscription {
        Crowd.Subscription(
            name: name,
            filter: #"{"fieldName":"group","comparator":"EQUALS","fieldValue":{"value":"\#(name)","type":"STRING"}}"#)
    }
}
