import CloudKitWire

/// The size of a decision. In every engine, small decisions share a transaction.
extension WriteSet {
    /// Bytes of the names and texts it stores.
    package var byteCount: Int {
        var count = 0
        for write in records { count += Int(write.new.storedBytes) }
        for deletion in deletions { count += deletion.tombstone.name.bytes.count }
        for event in events { count += event.name.bytes.count }
        // If a subscription watches, the records may be stored with their events.
        if !events.isEmpty { for deletion in deletions { count += Int(deletion.old.storedBytes) } }
        for change in changes { count += change.new?.byteCount ?? 0 }
        return count
    }

    /// Whether it gets its own transaction, so that small ones need not wait for it.
    ///
    /// - Parameters:
    ///   - bytes: Its ``byteCount``.
    ///   - rows: Its ``rows``, and the index entries that it touches.
    package static func isBig(bytes: Int, rows: Int) -> Bool {
        bytes > ownTransactionBytes || rows > ownTransactionRows
    }

    /// Up to this number of rows and entries, the exact number does not matter.
    package static let ownTransactionRows = 2_000

    /// Whether it may touch this many rows and entries.
    package func mayTouch(_ rows: Int) -> Bool {
        rows <= commitRowsMax || deletions.count == 1 && records.count <= 1
    }
}

private let ownTransactionBytes = 2 << 20

extension Reading {
    /// Records that a decision touches too many rows, before the decision is called again.
    ///
    /// - Throws: If that happens too often.
    package mutating func note(oversized rows: Int) throws(StorageError) {
        guard oversized.count < oversizedMax else {
            throw .failed("a decision touches \(rows) rows and index entries, more than the limit of \(commitRowsMax)")
        }
        oversized.append(rows)
    }
}

/// How often a decision may try to write less. A caller that halves its work gets down to one record by then.
private let oversizedMax = 16
