/// What an engine tells those who listen, once it is committed. News may get lost, and may come twice: who listens looks
/// for himself now and then.
public enum StorageNews: Sendable, Equatable {
    /// Changes to be told were noted in these databases, by this process.
    case events(Tenant, [DatabaseNumber])
    /// There is something for these devices (ids), which ask for it; written by whatever process.
    case deliveries(Tenant, to: [[UInt8]])
    /// There is something to be sent, written by this process.
    case toSend(Tenant)
    /// Topics were posted by this process, with their numbers.
    case posted(Tenant, [Topic: Int64])
}

extension StorageNews {
    /// What a decision's rows are news of.
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
    /// By topic.
    package var numbers: [Topic: Int64] { Dictionary(map { ($0.topic, $0.number) }) { Swift.max($0, $1) } }
}

extension WriteSet {
    /// Ids of the devices that ask, for which something new lies ready.
    package var devicesToNotify: [[UInt8]] { newDeliveries.devicesToNotify }

    /// As they stand from now on.
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
