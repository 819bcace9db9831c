import NIOCore
import NIOHTTP1
package import NIOPosix
import NephosNetwork
package import NephosRunner
import NephosStorage

// Conversions from the network library's types to requests for responders.

extension RawRequest {
    /// A request without its body, at the time when its head has arrived.
    init(_ head: HTTPRequestHead, id: RequestID, peer: Peer) {
        self.init(
            method: RequestMethod(rawValue: head.method.rawValue), target: head.uri,
            headers: RequestHeaders(Array(head.headers)), id: id, arrivedAt: WallClock.now(), peer: peer)
    }
}

extension Peer {
    convenience init(_ channel: any Channel, _ rules: ClientRules) {
        let remote = channel.remoteAddress?.ipAddress.flatMap { NetworkAddress($0) }
        let local = channel.localAddress
        let origin = local?.ipAddress.flatMap { NetworkAddress($0) }.map { address in
            let port = local?.port ?? 80
            return "http://" + (address.isIPv4 ? "\(address)" : "[\(address)]") + (port == 80 ? "" : ":\(port)")
        }
        self.init(
            isProxy: remote?.isIn(rules.trustedProxies) == true, address: remote, origin: origin ?? Peer.none.origin,
            abandonment: Abandonment())
    }
}

/// A piece of a body as read from the socket.
struct SocketBytes: RequestBytes {
    let buffer: ByteBuffer

    func withBytes<Answer>(_ body: (UnsafeRawBufferPointer) throws -> Answer) rethrows -> Answer {
        try buffer.withUnsafeReadableBytes(body)
    }
}

extension NIOThreadPool: WaitingThreads {
    package func perform(_ job: @escaping @Sendable (_ areRunning: Bool) -> Void) { submit { job($0 == .active) } }
}

extension WaitingThreads where Self == NIOThreadPool {
    /// The pool shared by the whole process.
    package static var ofProcess: NIOThreadPool { .singleton }
}

extension AnswerSource {
    /// Reads all of the `count` bytes at `offset`. Blocks.
    func piece(at offset: Int64, count: Int) throws -> ByteBuffer {
        var buffer = ByteBufferAllocator().buffer(capacity: count)
        try buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { memory in
            try fill(UnsafeMutableRawBufferPointer(rebasing: memory[..<count]), at: offset)
            return count
        }
        return buffer
    }
}
