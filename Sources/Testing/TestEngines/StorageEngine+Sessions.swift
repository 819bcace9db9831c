import CloudKitWire
import NephosDomain
package import NephosStorage

extension StorageEngine {
    /// Signs the person of an account in, as the sign-in page does, but at a moment that may lie back: so that the next use makes the
    /// session longer, and no test has to wait for that.
    ///
    /// - Returns: The session, and a token of it.
    package func signIn(
        _ email: String, to tenant: Tenant, _ kind: SessionRow.Kind, at time: Milliseconds
    ) async throws -> (session: SessionRow, token: String) {
        var chance = SystemRandomNumberGenerator()
        func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in .random(in: .min ... .max, using: &chance) } }
        guard let account = try account(email: email), let store = try open(tenant) else { throw NobodyToSignIn() }
        let enrolment = Enrolment.person(
            account: account.id, newID: UserID(high: chance.next(), low: chance.next()), sessionID: bytes(16),
            secret: bytes(32), kind: kind, now: time)
        guard let session = try await store.commit(enrolment.reading, decide: enrolment.decide),
            let token = WebAuthToken.issue(for: session, nonce: chance.next())
        else { throw NobodyToSignIn() }
        return (session, token)
    }
}

private struct NobodyToSignIn: Error {}
