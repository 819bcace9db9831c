/// What an engine reports to listeners after a commit. News may be lost, and may arrive twice: a listener also checks
/// for changes from time to time.
public enum StorageNews: Sendable, Equatable {
    /// This process recorded change events in these databases, of which subscriptions are to be notified.
    case events(Tenant, [DatabaseNumber])
    /// There are deliveries for the devices with these IDs, which fetch them; written by any process.
    case deliveries(Tenant, to: [[UInt8]])
    /// There are deliveries that the server is to send; written by this process.
    case toSend(Tenant)
    /// This process posted these topics, with their new numbers.
    case posted(Tenant, [Topic: Int64])
}

extension StorageNews {
    /// The news that the rows of a decision cause.
    package static func of(_ writes: WriteSet, _ tenant: Tenant) -> [StorageNews] {
        var news: [StorageNews] = []
        if !writes.events.isEmpty {
            var databases: [DatabaseNumber] = []
            for event in writes.events where databases.last != event.database { databases.append(event.database) }
            news.append(.events(tenant, databases))
        }
        let deliveries = writes.newDeliveries
        let devices = deliveries.devicesToNotify
        if !devices.isEmpty { news.append(.deliveries(tenant, to: devices)) }
        if deliveries.contains(where: \.isNewToSend) { news.append(.toSend(tenant)) }
        let posted = writes.changes(of: NewsRow.self).compactMap(\.new)
        if !posted.isEmpty { news.append(.posted(tenant, posted.numbers)) }
        return news
    }
}

extension [NewsRow] {
    /// The numbers of the topics; the highest one of each.
    package var numbers: [Topic: Int64] { Dictionary(map { ($0.topic, $0.number) }) { Swift.max($0, $1) } }
}

extension WriteSet {
    /// The IDs of devices that fetch their deliveries and have new ones.
    package var devicesToNotify: [[UInt8]] { newDeliveries.devicesToNotify }

    /// The deliveries that it stores, in their new state.
    fileprivate var newDeliveries: [DeliveryRow] { changes(of: DeliveryRow.self).compactMap(\.new) }
}

extension [DeliveryRow] {
    fileprivate var devicesToNotify: [[UInt8]] {
        filter { $0.leasedUntil == 0 && !$0.channel.isSentTo }.map(\.key.device)
    }
}

extension DeliveryRow {
    fileprivate var isNewToSend: Bool { channel.isSentTo && leasedUntil == 0 && dueAt != Self.completed }
}
