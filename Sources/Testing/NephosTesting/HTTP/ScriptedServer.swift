package import Foundation

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A server on the loopback address with scripted answers, byte by byte: for behavior that real servers do not have.
package final class ScriptedServer: Sendable {
    package enum Step: Sendable {
        case send([UInt8])
        /// Repeats the bytes until the other side is gone or this many bytes are sent.
        case flood([UInt8], Int)
        /// Repeats the bytes slowly, every tenth of a second, until the other side is gone.
        case drip([UInt8])
        /// Sends nothing more, and keeps the connection open until the server is stopped.
        case hang
        /// Closes the connection after what was sent has arrived.
        case close
        /// Resets the connection, and discards what has not arrived.
        case reset
    }

    package struct Request: Sendable {
        /// Method, path with query, and version.
        package var line: String
        /// Names in lower case.
        package var headers: [String: String]
        package var body: [UInt8]
        /// The number of its connection, from 0 on.
        package var connection: Int
    }

    package let port: Int
    private let listener: Int32
    private let script: @Sendable (Request) -> [Step]
    private let state = LockedBox(State())

    private struct State {
        var requests: [Request] = []
        var connections = 0
        var open: Set<Int32> = []
        var isStopped = false
    }

    /// - Parameter script: The steps for a request. At its end, the connection is kept open for another request.
    package init(_ script: @escaping @Sendable (Request) -> [Step]) throws {
        self.script = script
        listener = socket(AF_INET, streamType, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let (listener, size) = (listener, length)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, size) == 0 && listen(listener, 64) == 0 && getsockname(listener, $0, &length) == 0
            }
        }
        guard isBound else { throw POSIXError(.EADDRINUSE) }
        port = Int(UInt16(bigEndian: address.sin_port))
        Thread.detachNewThread { [self] in accept() }
    }

    /// Answers every request with these steps.
    package convenience init(_ steps: Step...) throws { try self.init { _ in steps } }

    package var url: URL { URL(string: "http://127.0.0.1:\(port)") ?? URL(fileURLWithPath: "/") }
    package var requests: [Request] { state.value.requests }
    package var connections: Int { state.value.connections }

    /// Closes all connections, and accepts no more.
    package func stop() {
        let open = state.withLock { state in
            state.isStopped = true
            return state.open
        }
        for connection in open { shutdown(connection, shutBoth) }
        shutdown(listener, shutBoth)
        #if canImport(Darwin)
            close(listener)
        #endif
    }

    private func accept() {
        while true {
            let connection = systemAccept(listener)
            guard connection >= 0 else { break }
            let number = state.withLock { state -> Int? in
                if state.isStopped { return nil }
                state.open.insert(connection)
                defer { state.connections += 1 }
                return state.connections
            }
            guard let number else {
                close(connection)
                break
            }
            Thread.detachNewThread { [self] in
                serve(connection, number)
                state.withLock { _ = $0.open.remove(connection) }
                close(connection)
            }
        }
        #if canImport(Glibc)
            close(listener)
        #endif
    }

    private func serve(_ connection: Int32, _ number: Int) {
        var buffer: [UInt8] = []
        while let request = receive(connection, number, &buffer) {
            state.withLock { $0.requests.append(request) }
            for step in script(request) {
                switch step {
                case .send(let bytes): guard send(connection, bytes) else { return }
                case .flood(let bytes, let limit):
                    var sent = 0
                    while sent < limit {
                        guard send(connection, bytes) else { return }
                        sent += bytes.count
                    }
                case .drip(let bytes):
                    while send(connection, bytes) { usleep(100_000) }
                    return
                case .hang:
                    var byte: UInt8 = 0
                    while recv(connection, &byte, 1, 0) > 0 {}
                    return
                case .close: return
                case .reset:
                    var linger = linger(l_onoff: 1, l_linger: 0)
                    setsockopt(
                        connection, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
                    return
                }
            }
        }
    }

    /// The next request; nil if the other side is gone.
    private func receive(_ connection: Int32, _ number: Int, _ buffer: inout [UInt8]) -> Request? {
        while true {
            if let request = Request(&buffer, number) { return request }
            var chunk = [UInt8](repeating: 0, count: 1 << 16)
            let count = recv(connection, &chunk, chunk.count, 0)
            guard count > 0 else { return nil }
            buffer += chunk[..<count]
        }
    }

    private func send(_ connection: Int32, _ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { platformSend(connection, $0.baseAddress, $0.count) }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}

extension ScriptedServer.Request {
    /// Removes a complete request from the front of `buffer`; nil if there is none yet.
    fileprivate init?(_ buffer: inout [UInt8], _ connection: Int) {
        guard let end = buffer.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        let lines = String(decoding: buffer[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        headers = [:]
        for text in lines.dropFirst() {
            let parts = text.split(separator: ":", maxSplits: 1)
            if parts.count == 2 { headers[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces) }
        }
        let length = headers["content-length"].flatMap { Int($0) } ?? 0
        guard buffer.count - end.upperBound >= length else { return nil }
        line = lines.first ?? ""
        body = Array(buffer[end.upperBound..<end.upperBound + length])
        self.connection = connection
        buffer.removeFirst(end.upperBound + length)
    }
}

extension ScriptedServer.Step {
    package static func text(_ text: String) -> ScriptedServer.Step { .send(Array(text.utf8)) }

    /// A complete answer, with its length.
    package static func answer(_ status: Int = 200, _ body: String, _ headers: String...) -> ScriptedServer.Step {
        let lines = ["HTTP/1.1 \(status) Whatever", "Content-Length: \(body.utf8.count)"] + headers
        return .text(lines.joined(separator: "\r\n") + "\r\n\r\n" + body)
    }
}

/// A value shared by several threads.
package final class LockedBox<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var stored: Value

    package init(_ value: Value) { stored = value }

    package var value: Value { withLock { $0 } }

    package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        try lock.withLock { try body(&stored) }
    }
}

#if canImport(Glibc)
    private let streamType = Int32(SOCK_STREAM.rawValue)
    private let shutBoth = Int32(SHUT_RDWR)
    private func systemAccept(_ listener: Int32) -> Int32 { Glibc.accept(listener, nil, nil) }
    /// Without the signal that would terminate this process if the other side is gone.
    private func platformSend(_ connection: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
        Glibc.send(connection, bytes, count, Int32(MSG_NOSIGNAL))
    }
#else
    private let streamType = SOCK_STREAM
    private let shutBoth = SHUT_RDWR
    private func systemAccept(_ listener: Int32) -> Int32 { Darwin.accept(listener, nil, nil) }
    private func platformSend(_ connection: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
        Darwin.send(connection, bytes, count, 0)
    }
#endif
