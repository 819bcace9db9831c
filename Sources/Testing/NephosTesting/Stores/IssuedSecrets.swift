import Foundation
import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The secrets that servers and commands of this process's tests have issued, which must not appear in any log, error or store.
/// ``NephosCommand``, ``HTTPConnection`` and ``ServerProcess`` record and check them automatically, so that no test can forget it.
///
/// Secrets of sessions, webhooks, push services and signing are in the store in plain text, until stores are sealed. Of these only
/// the webhooks' are issued, so they are checked everywhere except there.
package enum IssuedSecrets {
    /// The kind of a secret, which determines where it must not appear.
    enum Kind: Sendable { case opensSomething, ofWebhook }

    /// Secrets, indexed by their beginning.
    private struct Known {
        private(set) var all: [String: Kind] = [:]
        private var byHead: [String: [String]] = [:]

        mutating func add(_ secret: String, _ kind: Kind) {
            guard all.updateValue(kind, forKey: secret) == nil else { return }
            byHead[String(secret.prefix(headLength)), default: []].append(secret)
        }

        /// The first one that appears anywhere in a word.
        func first(in word: ArraySlice<UInt8>) -> String? {
            for start in word.indices.dropLast(headLength - 1) {
                let head = String(decoding: word[start..<start + headLength], as: UTF8.self)
                if let found = byHead[head]?.first(where: { word[start...].starts(with: $0.utf8) }) { return found }
            }
            return nil
        }
    }

    /// Shorter words are not secrets, and may appear anywhere.
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

    /// For benchmarks, whose responses contain a new token a million times and are timed.
    package static func turnOff() { isOff.store(true, ordering: .relaxed) }

    /// Registers the data of the server on this port.
    package static func link(port: Int, to data: String) { state.withLock { $0.stores[port] = data } }

    /// Records a secret that grants access to the store of `data`.
    package static func note(_ secret: String, of data: String) {
        state.withLock { $0.byStore[data, default: Known()].add(secret, .opensSomething) }
    }

    /// Records the output of a command that creates secrets.
    static func note(_ arguments: [String], _ result: CommandResult, of data: String) {
        guard result.status == 0, arguments.count > 2, arguments[1] == "create" else { return }
        let secrets: [String]
        switch arguments[0] {
        case "token", "session": secrets = words(in: Array(result.output.utf8))
        // Its ID and user appear next to the secret, and in logs.
        case "webhook":
            let words = words(in: Array(result.output.utf8))
            secrets = zip(words, words.dropFirst()).filter { $0.0 == "secret" }.map(\.1)
        case "key":
            guard let option = arguments.firstIndex(of: "--generate"), option + 1 < arguments.count,
                let pem = try? readFile(arguments[option + 1])
            else { return }
            // The second line of a key's file is unique to it; the first lines are all alike.
            secrets = String(decoding: pem, as: UTF8.self).split(separator: "\n").dropFirst(2).prefix(1).map(
                String.init)
        default: return
        }
        let kind = arguments[0] == "webhook" ? Kind.ofWebhook : .opensSomething
        state.withLock { state in
            for secret in secrets where isLong(secret) { state.byStore[data, default: Known()].add(secret, kind) }
        }
    }

    /// Records secrets in a response: rotated tokens, and tickets in URLs.
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

    /// The first secret of a server that appears in `bytes`, a response or a text; nil if there is none.
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

    /// Searches what a server leaves behind, after it has ended.
    ///
    /// - Parameter log: Its log.
    package static func look(log: String, port: Int, store: TestStore?, data: String) {
        if isOff.load(ordering: .relaxed) { return }
        let known = state.withLock { $0.known(port, data) }
        do {
            let folder = try TemporaryFolder(prefix: "nephos-secrets")
            try writeFile(folder.path + "/log", Array(log.utf8))
            if let database = store?.database { try writeFile(folder.path + "/dump", Array(try database.dump().utf8)) }
            if let secret = try leak(in: [folder.path + "/log"], of: known.flatMap(\.all.keys)) {
                end("the log of the server contains a secret: \(secret)")
            }
            // Secrets shown again by `serve --demo` are in a file that only the owner can read.
            let files = FileManager.default.enumerator(atPath: data)?.compactMap { $0 as? String } ?? []
            let stored = files.filter { $0 != "demo.json" && !$0.hasPrefix("assets/") }.map { "\(data)/\($0)" }
            let dump = store?.database == nil ? [] : [folder.path + "/dump"]
            let secrets = known.flatMap { $0.all.filter { $0.value != .ofWebhook }.keys }
            if let secret = try leak(in: stored + dump, of: secrets) { end("the store contains a secret: \(secret)") }
        } catch {
            end("the files of a server cannot be searched: \(error)")
        }
    }

    /// The first of these secrets that appears in one of the files, with the file's name; nil if there is none. There are megabytes
    /// of data and thousands of secrets, so the system's grep searches for all of them in one pass.
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

    /// Terminates the run if a secret appears in output, so that it cannot be overlooked.
    static func check(_ bytes: [UInt8], _ port: Int?, _ data: String?, _ place: String) {
        guard let secret = leak(in: bytes, port: port, data: data) else { return }
        end("\(place) contains a secret: \(secret)")
    }

    private static func end(_ text: String) -> Never {
        try? FileHandle.standardError.write(contentsOf: Data("error: \(text)\n".utf8))
        abort()
    }

    // MARK: Finding

    private static func isLong(_ word: String) -> Bool { word.utf8.count >= headLength }

    /// Bytes that do not occur in secrets.
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

    /// The first place of `needle`. Stores are megabytes, so the system's memchr searches for its first byte.
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
