import NIOCore
import NephosRunner

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
            if isOverdue(at: now) || (untakenBytes != 0 && isStalled(at: now)) { close() }
        case .writing:
            if isOverdue(at: now) || isStalled(at: now) { close() }
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

    /// Whether the socket accepted less than the minimum speed requires since it was last seen to be fast enough.
    private func isStalled(at now: NIODeadline) -> Bool {
        guard var left = untakenBytes else { return false }
        if phase == .writing { left += unwritten }
        let time = (now - unsentSince).milliseconds
        guard time > limits.stalledWriteMilliseconds else { return false }
        let isTooSlow = Int64(unsent - left) * 1_000 < Int64(limits.bytesPerSecondMin) * time
        unsent = left
        unsentSince = now
        return isTooSlow
    }
}

extension TimeAmount {
    var milliseconds: Int64 { nanoseconds / 1_000_000 }
}
