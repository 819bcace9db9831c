import NIOCore
import NephosRunner

#if canImport(Glibc)
    import Glibc
#endif

extension Connection {
    /// Gives up what takes too long. Called by the sweep.
    func check(at now: NIODeadline) {
        if let stopsAt, now + .milliseconds(limits.sweepMilliseconds) > stopsAt {
            abortBody(.serverStops)
            return close()
        }
        let inPhase = (now - phaseStart).milliseconds
        switch phase {
        case .idle:
            if inPhase > (hasServed ? limits.idleMilliseconds : limits.headersMilliseconds) { close() }
        case .headers:
            if inPhase > limits.headersMilliseconds { fail(.headersTooSlow(milliseconds: limits.headersMilliseconds)) }
        case .body where isUndecided:
            if isOverdue(at: now) { fail(.tookTooLong(milliseconds: limits.requestMilliseconds)) }
        case .body:
            if inPhase > limits.bodyMilliseconds || isSlow(bytes: body.count, milliseconds: inPhase) {
                fail(.bodyTooSlow(milliseconds: limits.bodyMilliseconds, bytesPerSecond: limits.bytesPerSecondMin))
            }
        case .receiving:
            if isOverdue(at: now) {
                fail(.tookTooLong(milliseconds: limits.requestMilliseconds))
            } else if let openBody {
                check(openBody, at: now)
            }
        case .working:
            if isOverdue(at: now) { fail(.tookTooLong(milliseconds: limits.requestMilliseconds)) }
        case .parked:
            break
        case .streaming:
            if let stream { check(stream, at: now) }
        case .sending:
            if isOverdue(at: now) { close() } else if untakenBytes != 0 { closeIfStalled(at: now) }
        case .writing:
            if isOverdue(at: now) { close() } else { closeIfStalled(at: now) }
        case .lingering:
            if inPhase > limits.lingerMilliseconds { close() }
        case .closed:
            break
        }
    }

    private func isOverdue(at now: NIODeadline) -> Bool {
        if let answerDue { now > answerDue } else { false }
    }

    /// Bytes written to the socket that it has not accepted yet. nil without a socket.
    var untakenBytes: Int? { try? context?.channel.syncOptions?.getOption(.bufferedWritableBytes) }

    private func check(_ body: OpenBody, at now: NIODeadline) {
        let (time, speed) = (limits.stalledReadMilliseconds, limits.bytesPerSecondMin)
        if body.isTooSlow(at: now, milliseconds: time, bytesPerSecond: speed) {
            fail(.bodyStalled(milliseconds: time, bytesPerSecond: speed))
        }
    }

    private func isSlow(bytes: Int, milliseconds: Int64) -> Bool {
        milliseconds > limits.speedGraceMilliseconds
            && Int64(bytes) * 1_000 < Int64(limits.bytesPerSecondMin) * milliseconds
    }

    /// Closes if the client read less than the minimum speed requires since it was last seen to be fast enough.
    private func closeIfStalled(at now: NIODeadline) {
        guard var left = untakenBytes else { return }
        if phase == .writing { left += unwritten }
        if acknowledged?.since != unsentSince { noteAcknowledged() }
        let time = (now - unsentSince).milliseconds
        guard time > limits.stalledWriteMilliseconds else { return }
        let least = Int64(limits.bytesPerSecondMin) * time / 1_000
        let accepted = Int64(unsent - left)
        unsent = left
        unsentSince = now
        let before = acknowledged
        noteAcknowledged()
        guard accepted < least else { return }
        // The system accepts megabytes in advance, and then nothing for a long time, while the client reads them.
        guard let before, let acknowledged, Int64(clamping: acknowledged.bytes &- before.bytes) >= least else {
            return close()
        }
    }

    /// Keeps how much the client's system has received, if this system reports it.
    private func noteAcknowledged() {
        #if os(Linux)
            guard let provider = context?.channel as? any SocketOptionProvider else { return }
            let information: EventLoopFuture<TCPInformation> = provider.unsafeGetSocketOption(
                level: .tcp, name: NIOBSDSocket.Option(rawValue: TCP_INFO))
            // Complete already, because this is the event loop.
            information.assumeIsolated().whenSuccess { information in
                self.acknowledged = (self.unsentSince, information.acknowledgedBytes)
            }
        #endif
    }
}

#if os(Linux)
    /// The first part of Linux's `struct tcp_info`, as numbers of eight bytes.
    private struct TCPInformation: Sendable {
        private typealias Eight = (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64)
        private let numbers: (Eight, Eight)

        /// `tcpi_bytes_acked`, which is at byte 120.
        var acknowledgedBytes: UInt64 { numbers.1.7 }
    }
#endif

extension TimeAmount {
    var milliseconds: Int64 { nanoseconds / 1_000_000 }
}
