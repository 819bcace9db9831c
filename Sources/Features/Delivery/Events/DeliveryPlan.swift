import CloudKitWire
import Crypto
import NephosDomain
import NephosStorage

/// Which devices are notified of which events.
struct DeliveryPlan {
    /// One for each device and subscription.
    private(set) var rows: [DeliveryRow] = []
    /// Subscriptions that fire only once, and have fired.
    private(set) var finished: [SubscriptionRow] = []

    private let parts: [CreateDeliveries.Part]
    private let index: SubscriptionIndex
    private let now: Milliseconds
    private let window: Milliseconds
    private let roles: [UserID: [Int64]]
    private let devices: [UserID: [DeviceRow]]
    /// IDs by event, because many devices may be notified of one.
    private var notificationIDs: [Sequence: String] = [:]
    /// Users of revoked keys.
    private let revoked: Set<UserID>

    init(
        _ parts: [CreateDeliveries.Part], _ index: SubscriptionIndex, _ reading: Reading, now: Milliseconds,
        window: Milliseconds
    ) {
        self.parts = parts
        self.index = index
        self.now = now
        self.window = window
        // In the same order as requested.
        let users = CreateDeliveries.preparation(parts, index).memberships
        assert(users.isEmpty || users.count == reading.memberships.count)
        roles = Dictionary(zip(users, reading.memberships), uniquingKeysWith: { first, _ in first })
        revoked = Set(index.catalog.keys.values.filter { $0.revokedAt != 0 }.map(\.user))
        devices = Dictionary(grouping: reading[CreateDeliveries.devices(parts, index)], by: \.key.user)
        var matched: [Sequence: [Int]] = [:]
        for (number, part) in parts.enumerated() {
            for match in part.matches { matched[match.sequence, default: []].append(number) }
        }
        for row in reading[CreateDeliveries.matched(parts, in: index.database)] {
            notify(row, of: matched[row.sequence] ?? [])
        }
    }

    /// - Parameter numbers: Indices of the parts that matched.
    private mutating func notify(_ row: SubscriptionRow, of numbers: [Int]) {
        guard let subscription = try? SubscriptionDictionary(stored: row.dictionary) else { return }
        let visible = numbers.map { parts[$0] }.filter { mayRead($0, row.user) }
        guard !visible.isEmpty else { return }
        if subscription.firesOnce { finished.append(row) }
        var payloads: [Sequence: Bytes] = [:]
        for device in devices[row.user] ?? [] {
            if device.channel == .webhook, DeviceRow.webhookSubscription(device.key.id) != row.name { continue }
            // The client that made a change is not notified of it.
            let author = ChangeAuthor.name(device.client, of: device.key.user)
            let delivered = visible.filter { $0.change.event.client.isEmpty || $0.change.event.client != author }
            // A push states only that something changed, while a webhook is called for every change.
            let groups = device.channel == .webhook ? delivered.map { [$0] } : [delivered]
            for group in groups {
                guard let last = group.last else { continue }
                let sequence = last.change.event.sequence
                let payload = payloads[sequence] ?? payload(of: last, for: row, subscription)
                payloads[sequence] = payload
                rows.append(
                    DeliveryRow(
                        key: DeliveryKey(
                            database: device.key.database, device: device.key.id, source: row.database,
                            subscription: row.name, slot: device.channel == .webhook ? sequence : 0),
                        user: row.user, channel: device.channel, sequence: sequence, changes: Int64(group.count),
                        createdAt: now, dueAt: now + window,
                        collapseID: subscription.notificationInfo?.collapseIDKey?.owned ?? "", payload: payload))
            }
        }
    }

    private func mayRead(_ part: CreateDeliveries.Part, _ user: UserID) -> Bool {
        if revoked.contains(user) { return false }
        guard let record = part.change.record else { return true }
        guard let type = index.catalog.type(record.type) else { return false }
        let visibility = Visibility(index.context(for: user, at: now), type: type, roles: roles[user] ?? [])
        return switch part.change.event.kind {
        // Whichever server's clock recorded it.
        case .appeared, .ended: visibility.noticesEdges(of: record)
        case .createdHidden, .updatedHidden, .deletedHidden: visibility.showsHidden(record)
        // Its time may have ended since.
        default: visibility.noticesChanges(of: record)
        }
    }

    // MARK: Payload

    private mutating func payload(
        of part: CreateDeliveries.Part, for row: SubscriptionRow, _ subscription: SubscriptionDictionary
    ) -> Bytes {
        let context = index.context(for: row.user)
        let info = subscription.notificationInfo ?? NotificationInfo()
        let owner = context.identity(part.zone).owner?.name ?? "_defaultOwner"
        let payload = PushPayload(
            container: index.catalog.head.tenant.container, user: row.user,
            notificationID: notificationID(of: part.change.event),
            subscriptionID: subscription.subscriptionID ?? row.name, event: Self.event(part.change.event, row.kind),
            scope: row.kind == .sharedDatabase ? .shared : context.scope == .public ? .public : .private,
            zone: row.kind == .database || row.kind == .sharedDatabase
                ? nil : ZoneIDDictionary(zoneName: part.zone, ownerRecordName: owner),
            info: info, values: values(of: part, info))
        return payload.json()[...]
    }

    private func values(of part: CreateDeliveries.Part, _ info: NotificationInfo) -> [Name: Bytes] {
        guard let record = part.change.record, let type = index.catalog.type(record.type) else { return [:] }
        return CanonicalFields.notificationValues(of: info.notificationFields, in: record.liveFields(of: type))
    }

    private static func event(_ event: ChangeEventRow, _ kind: SubscriptionRow.Kind) -> PushPayload.Event {
        switch (kind, event.kind) {
        case (.database, _), (.sharedDatabase, _), (_, .sharedChanged): .database
        case (.zone, _), (.query, .zoneCreated), (.query, .zoneDeleted): .zone
        case (.query, .created), (.query, .createdHidden), (.query, .appeared):
            .query(reason: .created, recordName: event.name)
        case (.query, .updated), (.query, .updatedHidden): .query(reason: .updated, recordName: event.name)
        case (.query, .deleted), (.query, .deletedHidden), (.query, .ended):
            .query(reason: .deleted, recordName: event.name)
        }
    }

    private mutating func notificationID(of event: ChangeEventRow) -> String {
        if let known = notificationIDs[event.sequence] { return known }
        let id = Self.notificationID(of: event, key: index.catalog.head.signingKey)
        notificationIDs[event.sequence] = id
        return id
    }

    /// A UUID that is the same for every notification of this event, so that receivers can recognize duplicates.
    private static func notificationID(of event: ChangeEventRow, key: [UInt8]) -> String {
        var content = TokenContent(reading: key)
        content.append(event.database)
        content.append(event.sequence)
        return UUIDBits(Array(SHA256.hash(data: content.bytes)), version: 8).lowerCase
    }
}
