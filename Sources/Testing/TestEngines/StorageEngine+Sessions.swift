import CloudKitWire
import NephosDomain
package import NephosStorage

extension StorageEngine {
    /// Signs in the user of an account, as the sign-in page does, but optionally in the past, so that the next use extends the
    /// session without waiting in the test.
    ///
    /// - Returns: The session, and its token.
    package func signIn(
        _ email: String, to tenant: Tenant, _ kind: SessionRow.Kind, at time: Milliseconds
    ) async throws -> (session: SessionRow, token: String) {
        var randomSource = SystemRandomNumberGenerator()
        func bytes(_ count: Int) -> [UInt8] {
            (0..<count).map { _ in .random(in: .min ... .max, using: &randomSource) }
        }
        guard let account = try account(email: email), let store = try open(tenant) else { throw NoAccountToSignIn() }
        let enrolment = Enrolment.person(
            account: account.id, newID: UserID(high: randomSource.next(), low: randomSource.next()),
            sessionID: bytes(16),
            secret: bytes(32), kind: kind, now: time)
        guard let session = try await store.commit(enrolment.reading, decide: enrolment.decide),
            let token = WebAuthToken.issue(for: session, nonce: randomSource.next())
        else { throw NoAccountToSignIn() }
        return (session, token)
    }
}

private struct NoAccountToSignIn: Error {}
