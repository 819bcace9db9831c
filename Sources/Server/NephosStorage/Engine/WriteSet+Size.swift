import CloudKitWire

/// How large a decision is. Every engine lets small ones share a transaction.
extension WriteSet {
    /// Bytes of the names and texts it stores.
    package var byteCount: Int {
        var count = 0
        for write in records { count += Int(write.new.storedBytes) }
        for deletion in deletions { count += deletion.tombstone.name.bytes.count }
        for event in events { count += event.name.bytes.count }
        // Where somebody watches, the records may be kept beside their events.
        if !events.isEmpty { for deletion in deletions { count += Int(deletion.old.storedBytes) } }
        for write in deliveries { count += write.new?.payload.count ?? 0 }
        for write in subscriptions { count += write.new?.dictionary.count ?? 0 }
        return count
    }

    /// Whether it gets a transaction of its own, so that small ones need not wait for it.
    ///
    /// - Parameter bytes: Its ``byteCount``.
    package func isBig(bytes: Int) -> Bool { bytes > aloneBytes || rows > aloneRows }
}

private let aloneBytes = 2 << 20
private let aloneRows = 2_000
