import Crypto
import NephosStorage

/// Something that can be used once before it expires: the challenge of a passkey, a code. (A link in a mail has its own row.) It
/// is spent in the directory commit that makes use of it, so a copy of it or a double click has no effect on any server.
///
/// Nothing need be stored when it is created: its proof (a seal) contains when it expires, and is checked first.
struct OneTimeValue: Sendable, Equatable {
    /// Of the kind and the thing itself. A copy of the store does not reveal the thing.
    let hash: [UInt8]
    let until: Milliseconds

    /// - Parameters:
    ///   - kind: What it is, so that things of different kinds never collide.
    ///   - thing: Identifies it among all others of its kind.
    ///   - until: When it expires and is no longer accepted.
    init(_ kind: StaticString, _ thing: some Swift.Sequence<UInt8>, until: Milliseconds) {
        // A kind contains no zero byte.
        hash = Array(SHA256.hash(data: Array("\(kind)\0".utf8) + Array(thing)))
        self.until = until
    }

    private var scan: Scan<SpentRow> { SpentRow.of(hash) }

    func ask(_ set: inout ReadSet) { set.ask(scan) }

    /// Spends it along with other writes.
    ///
    /// - Parameter reading: Of a set that ``ask(_:)`` was called with.
    /// - Returns: false if it was spent before: then write nothing that depends on it.
    func spend(_ reading: Reading, _ writes: inout WriteSet) -> Bool {
        guard reading[scan].isEmpty else { return false }
        writes.put(SpentRow(hash: hash, until: until))
        return true
    }

    /// Commits a transaction that spends it. If several servers do so at the same time, one succeeds; the others retry the
    /// decision and find it spent. May block.
    ///
    /// - Parameters:
    ///   - set: What else is read.
    ///   - decide: Calls ``spend(_:_:)``.
    func commit<Answer: Sendable>(
        to directory: any DirectoryStore, _ set: ReadSet = ReadSet(), decide: (Reading) throws -> Decision<Answer>
    ) throws -> Answer {
        var set = set
        ask(&set)
        return try directory.commit(set, decide: decide)
    }
}
