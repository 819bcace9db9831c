import CloudKitWire
import Crypto
import NephosNetwork
import NephosRunner
import NephosStorage

/// How long people have to wait after failed attempts: longer each time, by account and by network, across all servers.
///
/// An attempt counts when it begins, so that concurrent attempts do not get around the limit; one that succeeds is taken back. A
/// browser in which the account's person has signed in before is counted separately, so that others cannot lock them out.
struct SignInWaits: Sendable {
    /// Attempts before any wait.
    static let freeOfAccount: Int64 = 5, freeOfNetwork: Int64 = 20
    /// The longest wait, which limits how fast an account's password can be guessed. Repeated guesses also delay the account's
    /// person, except in browsers that the account knows.
    static let longest: Milliseconds = 5 * 60_000
    /// Counts are reset after this time without an attempt.
    static let memory: Milliseconds = 60 * 60_000

    /// The counters to which an attempt belongs.
    struct Attempt: Sendable {
        /// nil if no account was named.
        fileprivate let account: [UInt8]?
        fileprivate let network: [UInt8]?

        /// An attempt without a typed address. - Parameter network: nil if the address is not counted: this machine.
        init(from network: NetworkAddress?) {
            account = nil
            self.network = Self.hash(network)
        }

        /// - Parameters:
        ///    - email: As typed, whether there is such an account or not.
        ///    - network: nil if the address is not counted: this machine.
        ///    - browser: One that the account knows.
        init(_ email: String, from network: NetworkAddress?, browser: KnownBrowser? = nil) {
            account = Self.hash(browser.map { "browser \(Hexadecimal.text($0.id))" } ?? "account \(email.lowercased())")
            self.network = Self.hash(network)
        }

        /// An attempt by the person of an account to type the code of a program.
        init(codeTypedBy account: String, from network: NetworkAddress?) {
            self.account = Self.hash("code \(account)")
            self.network = Self.hash(network)
        }

        fileprivate var scan: Scan<AttemptRow> { AttemptRow.keyed([account, network].compactMap(\.self)) }

        private static func hash(_ network: NetworkAddress?) -> [UInt8]? { network.map { hash("network \($0)") } }

        private static func hash(_ text: String) -> [UInt8] { Array(SHA256.hash(data: Array(text.utf8))) }
    }

    let directory: any DirectoryStore

    /// Counts an attempt. May block.
    ///
    /// - Returns: nil if it may be made; otherwise the seconds to wait.
    func begin(_ attempt: Attempt, now: Milliseconds) throws -> Int? {
        let scan = attempt.scan
        var set = ReadSet()
        set.ask(scan)
        return try directory.commit(set) { reading -> Decision<Int?> in
            var writes = WriteSet()
            // With concurrent requests on several servers, one with a later time may have been counted first. If a clock was set
            // back by more than this, counting begins anew.
            let known = reading[scan].filter { abs(now - $0.lastAt) < Self.memory }
            let until = known.map(\.until).max() ?? 0
            guard until <= now else { return .write(writes, Int((until - now + 999) / 1_000)) }
            for (id, free) in [(attempt.account, Self.freeOfAccount), (attempt.network, Self.freeOfNetwork)] {
                guard let id else { continue }
                var row = known.first { $0.id == id } ?? AttemptRow(id: id, count: 0, lastAt: now, until: 0)
                row.count += 1
                row.lastAt = max(now, row.lastAt)
                let beyond = row.count - free
                if beyond > 0 { row.until = row.lastAt + min(Self.longest, 1_000 << min(beyond - 1, 20)) }
                writes.put(row, replacing: reading[scan].first { $0.id == id })
            }
            return .write(writes, nil)
        }
    }

    /// Takes back an attempt counted by ``begin(_:now:)``: the password was right, or nothing was compared. May block.
    ///
    /// - Parameter isRight: Whether to reset the account's failures.
    func takeBack(_ attempt: Attempt, isRight: Bool) throws {
        let scan = attempt.scan
        var set = ReadSet()
        set.ask(scan)
        try directory.commit(set) { reading in
            var writes = WriteSet()
            for old in reading[scan] {
                var row = old
                row.count -= 1
                row.until = 0
                if old.id == attempt.account, isRight { row.count = 0 }
                if row.count > 0 { writes.put(row, replacing: old) } else { writes.remove(old) }
            }
            return .write(writes, ())
        }
    }
}
