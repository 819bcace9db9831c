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
package enum IssuedSecrets {
    /// What a secret is of, which says where it must not stand.
    enum Kind: Sendable { case opensSomething, ofWebhook }

    /// Secrets, found by how they begin.
    private struct Known {
        private(set) var all: [String: Kind] = [:]
        private var byHead: [String: [String]] = [:]

        mutating func add(_ secret: String, _ kind: Kind) {
            guard all.updateValue(kind, forKey: secret) == nil else { return }
            byHead[String(secret.prefix(headLength)), default: []].append(secret)
        }

        /// The first that stands in a word, at its beginning or later.
        func first(in word: ArraySlice<UInt8>) -> String? {
            for start in word.indices.dropLast(headLength - 1) {
                let head = String(decoding: word[start..<start + headLength], as: UTF8.self)
                if let found = byHead[head]?.first(where: { word[start...].starts(with: $0.utf8) }) { return found }
            }
            return nil
        }
    }

    /// Short words are no secrets, and may stand anywhere.
    private static let headLength = 24

    private struct State {
        var byStore: [String: Known] = [:]
        var byPort: [Int: Known] = [:]
        var stores: [Int: String] = [:]

        func known(_ port: Int?, _ data: String?) -> [Known] {
            let data = data ?? port.flatMap { stores[$0] }
            return [data.flatMap { byStore[$0] }, port.flatMap { byPort[$0] }].compactMap(\.self)
        }
    }

    private static let state = Mutex(State())
    private static let isOff = Atomic(false)

    /// For benchmarks, which are given a new token with each of a million answers, and measure how long those take.
    package static func turnOff() { isOff.store(true, ordering: .relaxed) }

    /// A server on this port keeps its data there.
    package static func link(port: Int, to data: String) { state.withLock { $0.stores[port] = data } }

    /// Notes what lets somebody in to the store of `data`.
    package static func note(_ secret: String, of data: String) {
        state.withLock { $0.byStore[data, default: Known()].add(secret, .opensSomething) }
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
            for secret in secrets where isLong(secret) { state.byStore[data, default: Known()].add(secret, kind) }
        }
    }

    /// Notes what an answer lets its reader do: rotated tokens, and tickets in URLs.
    static func note(_ answer: HTTPResponse, port: Int) {
        if isOff.load(ordering: .relaxed) { return }
        var secrets = answer["X-Apple-CloudKit-Web-Auth-Token"].map { [$0] } ?? []
        for mark in ["?t=", "?tok=", "&tok="] { secrets += values(after: mark, in: answer.body) }
        guard !secrets.isEmpty else { return }
        state.withLock { state in
            for secret in secrets where isLong(secret) {
                state.byPort[port, default: Known()].add(secret, .opensSomething)
            }
        }
    }

    /// The first secret of a server that stands in `bytes`, an answer or a text; nil where none does.
    package static func leak(in bytes: [UInt8], port: Int? = nil, data: String? = nil) -> String? {
        let known = state.withLock { $0.known(port, data) }
        guard !known.isEmpty else { return nil }
        for word in bytes.split(whereSeparator: isSeparator) where word.count >= headLength {
            for known in known {
                if let secret = known.first(in: word) { return secret }
            }
        }
        return nil
    }

    /// Looks through what a server leaves behind, when nothing runs on it any more.
    ///
    /// - Parameter log: What it has said.
    package static func look(log: String, port: Int, store: TestStore?, data: String) {
        if isOff.load(ordering: .relaxed) { return }
        let known = state.withLock { $0.known(port, data) }
        do {
            let folder = try TemporaryFolder(prefix: "nephos-secrets")
            try writeFile(folder.path + "/log", Array(log.utf8))
            if let database = store?.database { try writeFile(folder.path + "/dump", Array(try database.dump().utf8)) }
            if let secret = try leak(in: [folder.path + "/log"], of: known.flatMap(\.all.keys)) {
                end("a secret stands in the log of the server: \(secret)")
            }
            // What `serve --demo` shows again is kept in a file of its owner's.
            let files = FileManager.default.enumerator(atPath: data)?.compactMap { $0 as? String } ?? []
            let stored = files.filter { $0 != "demo.json" && !$0.hasPrefix("assets/") }.map { "\(data)/\($0)" }
            let dump = store?.database == nil ? [] : [folder.path + "/dump"]
            let secrets = known.flatMap { $0.all.filter { $0.value != .ofWebhook }.keys }
            if let secret = try leak(in: stored + dump, of: secrets) { end("a secret stands in the store: \(secret)") }
        } catch {
            end("what a server left behind cannot be looked through: \(error)")
        }
    }

    /// The first of these secrets that stands in one of the files, with the file's name; nil where none does. Stores are megabytes,
    /// and secrets thousands: the system's own search goes through both at once.
    package static func leak(in files: [String], of secrets: [String]) throws -> String? {
        let files = files.filter { FileManager.default.isReadableFile(atPath: $0) && !isFolder($0) }
        guard !secrets.isEmpty, !files.isEmpty else { return nil }
        let folder = try TemporaryFolder(prefix: "nephos-secrets")
        try writeFile(folder.path + "/secrets", Array((secrets.joined(separator: "\n") + "\n").utf8))
        let (found, errors) = (folder.path + "/found", folder.path + "/errors")
        let child = try ChildProcess(
            "/usr/bin/env", ["grep", "-a", "-H", "-o", "-F", "-m", "1", "-f", folder.path + "/secrets"] + files,
            output: found, errors: errors)
        switch child.wait() {
        case .exited(1): return nil
        case .exited(0): return String(decoding: try readFile(found), as: UTF8.self)
        default: throw SystemError("grep: \(String(decoding: try readFile(errors), as: UTF8.self))", code: EIO)
        }
    }

    private static func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }

    /// Ends the run where a secret stands in what somebody reads: it must not be possible to overlook.
    static func check(_ bytes: [UInt8], _ port: Int?, _ data: String?, _ place: String) {
        guard let secret = leak(in: bytes, port: port, data: data) else { return }
        end("a secret stands in \(place): \(secret)")
    }

    private static func end(_ text: String) -> Never {
        try? FileHandle.standardError.write(contentsOf: Data("error: \(text)\n".utf8))
        abort()
    }

    // MARK: Finding

    private static func isLong(_ word: String) -> Bool { word.utf8.count >= headLength }

    /// What no secret has in it.
    private static func isSeparator(_ byte: UInt8) -> Bool {
        byte <= 0x20 || [UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: ","), UInt8(ascii: "<")].contains(byte)
    }

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
