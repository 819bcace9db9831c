import Crypto
import NephosStorage

/// Something that is good once, until it is over: the challenge of a passkey, a code. (A link in a mail has a row of its own.) It is spent in the commit of
/// the directory that makes use of it, so that a copy of it, or a press of two buttons, does nothing on any server.
///
/// Whoever made it need store nothing: what proves it (a seal) says when it is over, and is looked at before.
struct Once: Sendable, Equatable {
    /// Of what it is and the thing itself, which a copy of the store gives away by no means.
    let hash: [UInt8]
    let until: Milliseconds

    /// - Parameters:
    ///   - kind: What it is, so that one of a kind is none of another.
    ///   - thing: What tells it from all others of its kind.
    ///   - until: From when on whoever checks it refuses it as over.
    init(_ kind: StaticString, _ thing: some Swift.Sequence<UInt8>, until: Milliseconds) {
        // A kind has no zero byte.
        hash = Array(SHA256.hash(data: Array("\(kind)\0".utf8) + Array(thing)))
        self.until = until
    }

    private var scan: Scan<SpentRow> { SpentRow.of(hash) }

    func ask(_ set: inout ReadSet) { set.ask(scan) }

    /// Spends it with what else is written.
    ///
    /// - Parameter reading: Of a set that ``ask(_:)`` was called with.
    /// - Returns: false where it was spent before: then nothing that it is for may be written.
    func spend(_ reading: Reading, _ writes: inout WriteSet) -> Bool {
        guard reading[scan].isEmpty else { return false }
        writes.put(SpentRow(hash: hash, until: until))
        return true
    }

    /// Commits what spends it. Of several servers that do so at the same instant one does; the others decide once more, and find it spent.
    /// May wait.
    ///
    /// - Parameters:
    ///   - set: What is read besides.
    ///   - decide: Calls ``spend(_:_:)``.
    func commit<Answer: Sendable>(
        to directory: any DirectoryStore, _ set: ReadSet = ReadSet(), decide: (Reading) throws -> Decision<Answer>
    ) throws -> Answer {
        var set = set
        ask(&set)
        return try directory.commit(set, decide: decide)
    }
}
