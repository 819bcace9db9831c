import Dispatch
package import NephosNetwork
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Resolves the addresses of a host, in the order in which they should be tried; empty if it has none.
package typealias HostResolver = @Sendable (String) async -> [NetworkAddress]

/// The system's own resolver, which may take any time: it is abandoned when the task is cancelled.
enum SystemResolver {
    static let resolve: HostResolver = { host in
        if let address = NetworkAddress(host) { return [address] }
        let answer = Answer()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                answer.wait(continuation)
                DispatchQueue.global().async { answer.give(look(up: host)) }
            }
        } onCancel: {
            answer.give([])
        }
    }

    /// Resumes the waiting caller, once; the first result counts.
    private final class Answer: Sendable {
        private struct State {
            var waiting: CheckedContinuation<[NetworkAddress], Never>?
            var given: [NetworkAddress]?
        }

        private let state = Mutex(State())

        func wait(_ continuation: CheckedContinuation<[NetworkAddress], Never>) {
            let given = state.withLock { state in
                if state.given == nil { state.waiting = continuation }
                return state.given
            }
            if let given { continuation.resume(returning: given) }
        }

        func give(_ addresses: [NetworkAddress]) {
            let waiting = state.withLock { state -> CheckedContinuation<[NetworkAddress], Never>? in
                guard state.given == nil else { return nil }
                state.given = addresses
                defer { state.waiting = nil }
                return state.waiting
            }
            waiting?.resume(returning: addresses)
        }
    }

    private static func look(up host: String) -> [NetworkAddress] {
        var hints = addrinfo()
        hints.ai_flags = AI_ADDRCONFIG
        #if canImport(Glibc)
            hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        #else
            hints.ai_socktype = Int32(SOCK_STREAM)
        #endif
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, nil, &hints, &list) == 0 else { return [] }
        defer { freeaddrinfo(list) }
        var addresses: [NetworkAddress] = []
        var next = list
        while let entry = next {
            if let address = numeric(entry.pointee), !addresses.contains(address) { addresses.append(address) }
            next = entry.pointee.ai_next
        }
        return addresses
    }

    private static func numeric(_ entry: addrinfo) -> NetworkAddress? {
        var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        let status = getnameinfo(
            entry.ai_addr, entry.ai_addrlen, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST)
        guard status == 0 else { return nil }
        // The text after a percent sign is the network interface of a link-local address.
        let bytes = text.prefix { $0 != 0 && $0 != CChar(UInt8(ascii: "%")) }.map { UInt8(bitPattern: $0) }
        return NetworkAddress(String(decoding: bytes, as: UTF8.self))
    }
}
