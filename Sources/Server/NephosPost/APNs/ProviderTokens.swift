import NephosDelivery
import Synchronization

/// Keeps the token of one key, and creates a new one when necessary; all requests share it.
///
/// APNs refuses tokens older than an hour, and answers TooManyProviderTokenUpdates to a client that sends new ones more often
/// than every 20 minutes.
final class ProviderTokens: Sendable {
    /// The age in seconds at which a token is no longer used. An hour is allowed; the rest is a margin for clock differences.
    static let longestUse: Int64 = 50 * 60
    /// The minimum number of seconds between two tokens.
    static let leastBetween: Int64 = 20 * 60
    /// How far the clock may be set back, in seconds, before a token counts as one from the future.
    private static let tolerance: Int64 = 60

    private let key: APNsKey
    private let now: @Sendable () -> Int64
    private let state = Mutex<State>(State())

    private struct State {
        var token: ProviderToken?
        /// Whether the token replaced one that APNs reported as expired.
        var isReplacement = false
    }

    /// - Parameter now: Seconds since 1970.
    init(key: APNsKey, now: @escaping @Sendable () -> Int64) {
        self.key = key
        self.now = now
    }

    /// The token to use now.
    func current() throws -> ProviderToken {
        try state.withLock { state in
            let time = now()
            if let token = state.token, Self.isUsable(token, at: time) { return token }
            return try renew(&state, at: time, isReplacement: false)
        }
    }

    /// The token to use instead of one that APNs reported as expired; nil if another would not help.
    ///
    /// Of many requests with the same token the first renews it. If a fresh replacement is also reported as expired, the clocks
    /// disagree; more tokens would only cause TooManyProviderTokenUpdates. After the clock is corrected, the token is too old or
    /// from the future, and ``current()`` creates the next.
    func replacement(for expired: ProviderToken) throws -> ProviderToken? {
        try state.withLock { state in
            let time = now()
            guard let token = state.token, token == expired else { return state.token }
            if state.isReplacement, Self.isUsable(token, at: time), time - token.issuedAt < Self.leastBetween {
                return nil
            }
            return try renew(&state, at: time, isReplacement: true)
        }
    }

    private static func isUsable(_ token: ProviderToken, at time: Int64) -> Bool {
        (-tolerance..<longestUse).contains(time - token.issuedAt)
    }

    private func renew(_ state: inout State, at time: Int64, isReplacement: Bool) throws -> ProviderToken {
        let token = try ProviderToken(key: key, issuedAt: time)
        state = State(token: token, isReplacement: isReplacement)
        return token
    }
}
