/// What an engine tells those who listen, once it is committed. News may get lost, and may come twice: who listens looks
/// for himself now and then.
public enum StorageNews: Sendable, Equatable {
    /// Changes to be told were noted in these databases, by this process.
    case events(Tenant, [DatabaseNumber])
    /// There is something to be told to these devices (ids), by whatever process.
    case deliveries(Tenant, to: [[UInt8]])
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
        let devices = writes.devicesToTell
        if !devices.isEmpty { news.append(.deliveries(tenant, to: devices)) }
        return news
    }
}

extension WriteSet {
    /// Ids of the devices for which something new lies ready.
    package var devicesToTell: [[UInt8]] {
        deliveries.compactMap { write in
            guard let new = write.new, new.leasedUntil == 0 else { return nil }
            return new.key.device
        }
    }
}
