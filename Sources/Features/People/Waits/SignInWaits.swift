import CloudKitWire
import Crypto
import NephosNetwork
import NephosRunner
import NephosStorage

/// How long people have to wait after failed attempts: longer each time, by account and by network, across all servers.
///
/// An attempt counts when it begins, so that concurrent attempts do not get around the limit; one that succeeds is taken back, as if
/// it had not been made. A browser in which the account's person has signed in before is counted separately, and not with its network,
/// so that others cannot lock them out.
struct SignInWaits: Sendable {
    /// Attempts before any wait.
    static let freeOfAccount: Int64 = 5, freeOfNetwork: Int64 = 20
    /// The longest wait, which limits how fast an account's password can be guessed. Repeated guesses also delay the account's
    /// person, except in browsers that the account knows.
    static let longest: Milliseconds = 5 * 60_000
    /// Counts are reset after this time without an attempt.
    static let countedFor: Milliseconds = 60 * 60_000

    /// The counters to which an attempt belongs.
    struct Attempt: Sendable {
        /// nil if no account was named.
        fileprivate let target: [UInt8]?
        /// Each with the attempts before any wait.
        fileprivate let counters: [(id: [UInt8], free: Int64)]

        /// An attempt without a typed address. - Parameter network: nil if it is not counted.
        init(from network: ClientNetwork?) { self.init(at: nil, from: network) }

        /// - Parameters:
        ///    - email: ``EmailAddress/text``, whether there is such an account or not.
        ///    - network: nil if it is not counted.
        ///    - browser: One that the account knows.
        init(_ email: String, from network: ClientNetwork?, browser: KnownBrowser? = nil) {
            self.init(
                at: browser.map { "browser \(Hexadecimal.text($0.id))" } ?? "account \(email)",
                from: browser == nil ? network : nil)
        }

        /// An attempt by the person of an account to type the code of a program.
        init(codeTypedBy account: String, from network: ClientNetwork?) {
            self.init(at: "code \(account)", from: network)
        }

        /// An attempt to choose a password with a link. - Parameter link: Its ID.
        init(link: [UInt8], from network: ClientNetwork?) {
            self.init(at: "link \(Hexadecimal.text(link))", from: network)
        }

        private init(at target: String?, from network: ClientNetwork?) {
            self.target = target.map(Self.hash)
            let networks = (network?.counted ?? []).map { block, share in
                (id: Self.hash("network \(block)"), free: freeOfNetwork * Int64(share))
            }
            counters = (self.target.map { [(id: $0, free: freeOfAccount)] } ?? []) + networks
        }

        private static func hash(_ text: String) -> [UInt8] { Array(SHA256.hash(data: Array(text.utf8))) }
    }

    /// An attempt that was counted, and may be made.
    struct Counted: Sendable {
        fileprivate let target: [UInt8]?
        /// Its counters, before and after; nil if there was none that still counts.
        fileprivate let changes: [(before: AttemptRow?, after: AttemptRow)]
    }

    enum Beginning: Sendable {
        case counted(Counted)
        case wait(seconds: Int)
    }

    let directory: any DirectoryStore

    /// Counts an attempt, unless it has to wait. May block.
    func begin(_ attempt: Attempt, now: Milliseconds) throws -> Beginning {
        let scan = AttemptRow.keyed(attempt.counters.map(\.id))
        var set = ReadSet()
        set.ask(scan)
        return try directory.commit(set) { reading -> Decision<Beginning> in
            var writes = WriteSet()
            // With concurrent requests on several servers, one with a later time may have been counted first. If a clock was set
            // back by more than this, counting begins anew.
            let known = reading[scan].filter { abs(now - $0.lastAt) < Self.countedFor }
            let until = known.map(\.until).max() ?? 0
            guard until <= now else { return .write(writes, .wait(seconds: Int((until - now + 999) / 1_000))) }
            let changes = attempt.counters.map { id, free in
                let before = known.first { $0.id == id }
                var row = before ?? AttemptRow(id: id, count: 0, lastAt: now, until: 0)
                row.count += 1
                row.lastAt = max(now, row.lastAt)
                let beyond = row.count - free
                if beyond > 0 { row.until = row.lastAt + min(Self.longest, 1_000 << min(beyond - 1, 20)) }
                writes.put(row, replacing: reading[scan].first { $0.id == id })
                return (before: before, after: row)
            }
            return .write(writes, .counted(Counted(target: attempt.target, changes: changes)))
        }
    }

    /// Takes back an attempt that was right, or in which nothing was compared. The counters are as if it had not been made: failures
    /// before it still count, and a wait that another attempt has caused meanwhile stays. May block.
    ///
    /// - Parameter forgiving: Whether to reset the failures of the account as well, because its person has proved who they are. Never
    ///   for a guess that can be right without being about the same secret as those before.
    func takeBack(_ attempt: Counted, forgiving: Bool = false) throws {
        let scan = AttemptRow.keyed(attempt.changes.map(\.after.id))
        var set = ReadSet()
        set.ask(scan)
        try directory.commit(set) { reading in
            var writes = WriteSet()
            for (before, after) in attempt.changes {
                guard let row = reading[scan].first(where: { $0.id == after.id }) else { continue }
                var rest = before
                if after.id == attempt.target, forgiving {
                    rest = nil
                } else if row != after {
                    rest = row
                    rest?.count -= 1
                }
                if let rest, rest.count > 0 { writes.put(rest, replacing: row) } else { writes.remove(row) }
            }
            return .write(writes, ())
        }
    }
}
