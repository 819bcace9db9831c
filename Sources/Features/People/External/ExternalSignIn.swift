import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

/// A server with its own login signs its people in to a container, using a key that permits it. Each subject is one person of
/// that container and environment without an account, so nobody else's data can be reached.
enum ExternalSignIn {
    /// `POST /nephos/1/CONTAINER/ENVIRONMENT/sign-in/external`
    static let endpoint = Endpoint("sign-in/external", at: .container, methods: [.post]) { call in
        guard case .serverKey(let user) = call.context.caller,
            let key = call.context.catalog.keys.values.first(where: { $0.user == user })
        else {
            throw Refusal.accessDenied(
                "only a server can sign in people here: sign the request with a server-to-server key (docs/people.md)"
            )
        }
        let claim: ExternalClaim
        do throws(WireError) { claim = try ExternalClaim(call.body) } catch { throw Refusal(error) }
        let (randomSource, now) = (call.randomSource, call.context.now)
        let enter = CreateExternalSession(
            claim: claim, key: key.id,
            access: NewAccess(kind: .external, who: key.id, id: randomSource.bytes(8), now: now),
            enrolment: .external(
                subject: claim.subject, newID: UserID(high: randomSource.next(), low: randomSource.next()),
                sessionID: randomSource.bytes(16), secret: randomSource.bytes(32), now: now),
            nonce: randomSource.next(), now: now)
        return call.commit(enter.reading, decide: enter.decide) { $0.answer(call.call) }
    }
}

/// Creates the session, and the person on the first sign-in.
private struct CreateExternalSession: Sendable {
    let claim: ExternalClaim
    /// ID of the key.
    let key: String
    /// Recorded with the session.
    let access: NewAccess
    let enrolment: Enrolment
    let nonce: UInt64
    let now: Milliseconds

    private var terms: Scan<KeyTermsRow> { KeyTermsRow.of(key) }

    var reading: ReadSet {
        var set = enrolment.reading
        set.ask(terms)
        return set
    }

    /// - Throws: ``Refusal/accessDenied(_:)`` for a key that does not permit it.
    func decide(_ reading: Reading) throws -> Decision<SessionAnswer> {
        guard let terms = reading[terms].first, terms.signsIn, let row = reading.catalog.keys[key],
            row.createdAt <= terms.setAt
        else {
            throw Refusal.accessDenied(
                "this key is not allowed to sign people in: allow it with nephos key set CONTAINER \(key.prefix(8)) --sign-in yes"
            )
        }
        switch try enrolment.decide(reading) {
        case .need(let more, _): return .need(more)
        case .write(_, nil): throw Refusal.failed
        case .write(var writes, let session?):
            switch access.decide(about: session.user, reading) {
            case .need(let more): return .need(more)
            case .refused: throw Refusal.failed
            case .noted(let noted): noted.write(to: &writes)
            }
            let scan = ExternalPersonRow.of(session.user)
            guard let known = reading.rows(of: scan) else {
                var more = ReadSet()
                more.ask(scan)
                return .need(more)
            }
            let person = ExternalPersonRow(
                user: session.user, subject: claim.subject, name: claim.name, email: claim.email,
                firstAt: known.first?.firstAt ?? now, lastAt: now)
            writes.put(person, replacing: known.first)
            return .write(writes, try SessionAnswer(session, nonce: nonce, now: now))
        }
    }
}
