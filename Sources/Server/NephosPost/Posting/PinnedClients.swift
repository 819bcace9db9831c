import AsyncHTTPClient
import NIOCore
import NephosNetwork
import Synchronization

/// HTTP clients that each connect to one address of one host only, wherever the host's name leads by then. TLS still verifies the
/// name; a certificate for the address itself is accepted as well.
final class PinnedClients: Sendable {
    /// A host as it appears in a URL, and the address that was chosen for it.
    struct Pin: Hashable, Sendable {
        let host: String
        let address: NetworkAddress
    }

    /// A client that may be used until ``end`` is called.
    struct Loan: Sendable {
        let client: HTTPClient
        let end: @Sendable () -> Void
    }

    private struct Entry {
        let client: HTTPClient
        var users = 0
        var lastUse: UInt64 = 0
    }

    private struct State {
        var entries: [Pin: Entry] = [:]
        /// The number of loans so far.
        var clock: UInt64 = 0
        var isClosed = false
    }

    /// The maximum number of clients kept for the next call.
    private static let keptMax = 32

    private let configuration: HTTPClient.Configuration
    private let state = Mutex(State())

    init(_ configuration: HTTPClient.Configuration) { self.configuration = configuration }

    /// - Throws: ``PostFailure/cancelled`` after ``close()``.
    func lend(_ pin: Pin) throws(PostFailure) -> Loan {
        let client = state.withLock { state -> HTTPClient? in
            if state.isClosed { return nil }
            var entry = state.entries[pin] ?? Entry(client: make(pin))
            state.clock += 1
            entry.users += 1
            entry.lastUse = state.clock
            state.entries[pin] = entry
            return entry.client
        }
        guard let client else { throw .cancelled }
        return Loan(client: client) { [self] in giveBack(pin) }
    }

    private func giveBack(_ pin: Pin) {
        let surplus = state.withLock { state -> HTTPClient? in
            state.entries[pin]?.users -= 1
            guard state.entries.count > Self.keptMax, !state.isClosed else { return nil }
            let unused = state.entries.filter { $0.value.users == 0 }
            guard let oldest = unused.min(by: { $0.value.lastUse < $1.value.lastUse }) else { return nil }
            state.entries[oldest.key] = nil
            return oldest.value.client
        }
        // Errors of closing connections are irrelevant.
        if let surplus { Task { try? await surplus.shutdown() } }
    }

    /// Closes all connections; running calls fail.
    func close() async throws {
        let entries = state.withLock { state in
            state.isClosed = true
            defer { state.entries = [:] }
            return Array(state.entries.values)
        }
        var failure: (any Error)?
        for entry in entries {
            do { try await entry.client.shutdown() } catch { failure = failure ?? error }
        }
        if let failure { throw failure }
    }

    private func make(_ pin: Pin) -> HTTPClient {
        var configuration = configuration
        if NetworkAddress(pin.host) == nil { configuration.dnsOverride = [pin.host: pin.address.description] }
        // Requests go to this address, or nowhere: this does not depend on how a client parses a name.
        configuration.http1_1ConnectionDebugInitializer = { channel in
            let remote = channel.remoteAddress?.ipAddress.flatMap { NetworkAddress($0) }
            guard remote == pin.address else { return channel.eventLoop.makeFailedFuture(PostFailure.cannotConnect) }
            return InterimLimit.add(toConnection: channel)
        }
        return ClientSettings.client(configuration)
    }
}
