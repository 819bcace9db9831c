import Foundation
import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The secrets that servers and commands of this process's tests gave out, and where they must not stand: in no log, no
/// error, no store. Noted and looked for by ``NephosCommand``, ``HTTPConnection`` and ``ServerProcess`` themselves, so that no
/// test can forget it.
///
/// Secrets of sessions, webhooks, push services and of signing are in the store as they are, until stores are sealed. Of these
/// only the webhooks' are given out, so they are looked for everywhere but there.
public enum IssuedSecrets {
    /// What a secret is of, which says where it must not stand.
    enum Kind: Sendable { case opensSomething, ofWebhook }

    private struct State {
        var byStore: [String: [String: Kind]] = [:]
        var byPort: [Int: [String: Kind]] = [:]
        var stores: [Int: String] = [:]
    }

    private static let state = Mutex(State())
    private static let isOff = Atomic(false)

    /// For benchmarks, which are given a new token with each of a million answers, and measure how long those take.
    public static func turnOff() { isOff.store(true, ordering: .relaxed) }

    /// A server on this port keeps its data there.
    public static func link(port: Int, to data: String) { state.withLock { $0.stores[port] = data } }

    /// Notes what lets somebody in to the store of `data`.
    public static func note(_ secret: String, of data: String) {
        state.withLock { $0.byStore[data, default: [:]][secret] = .opensSomething }
    }

    /// Notes what a command printed that makes secrets.
    static func note(_ arguments: [String], _ result: CommandResult, of data: String) {
        guard result.status == 0, arguments.count > 2, arguments[1] == "create" else { return }
        let secrets: [String]
        switch arguments[0] {
        case "token", "session": secrets = words(in: Array(result.output.utf8))
        // Its id and its user stand beside the secret, and in logs.
        case "webhook":
            let words = words(in: Array(result.output.utf8))
            secrets = zip(words, words.dropFirst()).filter { $0.0 == "secret" }.map(\.1)
        case "key":
            guard let option = arguments.firstIndex(of: "--generate"), option + 1 < arguments.count,
                let pem = try? readFile(arguments[option + 1])
            else { return }
            // The second line of a key's file is its own; the first are alike.
            secrets = String(decoding: pem, as: UTF8.self).split(separator: "\n").dropFirst(2).prefix(1).map(
                String.init)
        default: return
        }
        let kind = arguments[0] == "webhook" ? Kind.ofWebhook : .opensSomething
        state.withLock { state in
            for secret in secrets where isLong(secret) { state.byStore[data, default: [:]][secret] = kind }
        }
    }

    /// Notes what an answer lets its reader do: rotated tokens, and tickets in URLs.
    static func note(_ answer: HTTPResponse, port: Int) {
        if isOff.load(ordering: .relaxed) { return }
        var secrets = answer["X-Apple-CloudKit-Web-Auth-Token"].map { [$0] } ?? []
        for mark in ["?t=", "?tok=", "&tok="] { secrets += values(after: mark, in: answer.body) }
        guard !secrets.isEmpty else { return }
        state.withLock { state in
            for secret in secrets where isLong(secret) { state.byPort[port, default: [:]][secret] = .opensSomething }
        }
    }

    /// The first secret of a server that stands in `bytes`; nil where none does.
    public static func leak(in bytes: [UInt8], port: Int? = nil, data: String? = nil, isStore: Bool = false) -> String?
    {
        let known = state.withLock { state in
            let data = data ?? port.flatMap { state.stores[$0] }
            let ofStore = data.flatMap { state.byStore[$0] } ?? [:]
            return ofStore.merging(port.flatMap { state.byPort[$0] } ?? [:]) { $1 }
        }
        guard !known.isEmpty, !bytes.isEmpty else { return nil }
        return known.first {
            (!isStore || $0.value != .ofWebhook) && place(of: Array($0.key.utf8), in: bytes[...]) != nil
        }?.key
    }

    /// Looks through what a server leaves behind, when nothing runs on it any more.
    ///
    /// - Parameter log: What it has said.
    public static func look(log: String, port: Int, store: TestStore?, data: String) {
        if isOff.load(ordering: .relaxed) { return }
        check(Array(log.utf8), port, data, "the log of the server")
        if let database = store?.database {
            check(Array(((try? database.dump()) ?? "").utf8), port, data, "the database", isStore: true)
        }
        // What `serve --demo` shows again is kept in a file of its owner's.
        let files = FileManager.default.enumerator(atPath: data)?.compactMap { $0 as? String } ?? []
        for file in files where file != "demo.json" && !file.hasPrefix("assets/") {
            check((try? readFile("\(data)/\(file)")) ?? [], port, data, "the store's file \(file)", isStore: true)
        }
    }

    /// Ends the run where a secret stands in what somebody reads: it must not be possible to overlook.
    static func check(_ bytes: [UInt8], _ port: Int?, _ data: String?, _ place: String, isStore: Bool = false) {
        guard let secret = leak(in: bytes, port: port, data: data, isStore: isStore) else { return }
        try? FileHandle.standardError.write(contentsOf: Data("error: a secret stands in \(place): \(secret)\n".utf8))
        abort()
    }

    // MARK: Finding

    /// Short words are no secrets, and may stand anywhere.
    private static func isLong(_ word: String) -> Bool { word.utf8.count >= 24 }

    private static func words(in bytes: [UInt8]) -> [String] {
        String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace).map(String.init)
    }

    private static func values(after mark: String, in bytes: [UInt8]) -> [String] {
        let mark = Array(mark.utf8)
        var values: [String] = []
        var rest = bytes[...]
        while let found = place(of: mark, in: rest) {
            rest = rest[(found + mark.count)...]
            let value = rest.prefix { ![UInt8(ascii: "\""), UInt8(ascii: "&")].contains($0) }
            values.append(String(decoding: value, as: UTF8.self))
        }
        return values
    }

    /// Where `needle` stands first. Stores are megabytes, so the system looks for its first byte.
    private static func place(of needle: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
        guard let first = needle.first, bytes.count >= needle.count else { return nil }
        let offset = bytes.withUnsafeBytes { bytes -> Int? in
            guard let start = bytes.baseAddress else { return nil }
            var next = 0
            while next <= bytes.count - needle.count {
                let room = bytes.count - needle.count - next + 1
                guard let found = memchr(start + next, Int32(first), room) else { return nil }
                next = start.distance(to: UnsafeRawPointer(found))
                if memcmp(start + next, needle, needle.count) == 0 { return next }
                next += 1
            }
            return nil
        }
        return offset.map { bytes.startIndex + $0 }
    }
}
