import CloudKitWire

/// The size of a decision. In every engine, small decisions share a transaction.
extension WriteSet {
    /// The number of bytes of the names and texts that the decision stores.
    package var byteCount: Int {
        var count = 0
        for write in records { count += Int(write.new.storedBytes) }
        for deletion in deletions { count += deletion.tombstone.name.bytes.count }
        for event in events { count += event.name.bytes.count }
        // If a subscription watches, deleted records may be stored with their events.
        if !events.isEmpty { for deletion in deletions { count += Int(deletion.old.storedBytes) } }
        for change in changes { count += change.new?.byteCount ?? 0 }
        return count
    }

    /// Whether a decision gets its own transaction, so that small decisions need not wait for it.
    ///
    /// - Parameters:
    ///   - bytes: The ``byteCount`` of the decision.
    ///   - rows: The number of its ``rows`` and of the index entries that it touches.
    package static func isBig(bytes: Int, rows: Int) -> Bool {
        bytes > ownTransactionBytes || rows > ownTransactionRows
    }

    /// The maximum number of rows and entries of a decision that shares a transaction. Up to this number, the exact
    /// number does not matter.
    package static let ownTransactionRows = 2_000

    /// Whether the decision may be carried out. A decision that deletes one record, and writes at most one, always may.
    package func isAllowed(_ report: CommitReport) -> Bool {
        !report.isTooLarge || deletions.count == 1 && records.count <= 1
    }
}

private let ownTransactionBytes = 2 << 20

extension Reading {
    /// Records that a decision does too much, before it is called again to return fewer writes.
    ///
    /// - Throws: ``StorageError/failed(_:)`` if that happens too often.
    package mutating func note(oversized report: CommitReport) throws(StorageError) {
        guard oversized.count < oversizedMax else {
            throw .failed(
                "a decision touches \(report.rows + report.entries) rows and index entries in \(report.steps) steps, more than the limits of \(commitRowsMax) and \(commitStepsMax)"
            )
        }
        oversized.append(report)
    }
}

extension Reading {
    /// How many of some records a decision should change: all; or, if earlier calls have changed too many, as many as are known to be
    /// few enough. If that is not known, or was not enough, half of them, and half again.
    package func few(of count: Int) -> Int {
        guard let last = oversized.last else { return count }
        let half = count >> oversized.count
        if last.fitting == 0 { return max(1, half) }
        return min(last.fitting, oversized.count == 1 ? count : max(1, half))
    }
}

/// The maximum number of attempts of a decision to write less. A caller that halves its work each time has only one
/// record left by then.
private let oversizedMax = 16
