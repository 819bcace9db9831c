import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

/// Signs a person in to a container for an app that may act as them. The session is created as for an operator.
struct EnterContainer: Sendable {
    let enrolment: Enrolment
    /// Hash of the API token.
    let token: [UInt8]
    /// The destination, as in ``ConsentRow/origin``.
    let place: String
    let now: Milliseconds

    var reading: ReadSet { enrolment.reading }

    /// Returns the created session.
    func decide(_ reading: Reading) throws -> Decision<SessionRow?> {
        let decision = try enrolment.decide(reading)
        guard case .write(var writes, let session?) = decision else { return decision }
        let consent = ConsentRow.of(session.user, token, place)
        guard let given = reading.rows(of: consent) else {
            var more = ReadSet()
            more.ask(consent)
            return .need(more)
        }
        if given.isEmpty {
            writes.put(ConsentRow(user: session.user, token: token, origin: place, givenAt: now))
        }
        return .write(writes, session)
    }

    /// Whether the person of an account has already allowed this app to act as them. May block.
    static func hasConsent(of account: String, _ app: RequestingApp) throws(StorageError) -> Bool {
        guard let user = try app.store.rows(UserRow.from([(.account, account)])).first else { return false }
        return try !app.store.rows(ConsentRow.of(user.id, app.token, app.destination.text)).isEmpty
    }
}

extension SignInServices {
    /// Creates a session for the person of an account, who allows an app to act as them. May block.
    ///
    /// - Parameters:
    ///   - id: The session's ID: 16 random bytes.
    ///   - origin: Where the app is.
    ///   - answer: Receives the session, or nil if the server failed; the failure is logged.
    func enter(
        _ account: String, _ app: RequestingApp, _ id: [UInt8], _ kind: SessionRow.Kind, from origin: RequestSource,
        at now: Milliseconds,
        _ answer: @escaping @Sendable (SessionRow?) -> Work
    ) throws -> Work {
        try places.note(account, app.tenant, at: now)
        let randomSource = host.randomSource
        let enrolment = Enrolment.person(
            account: account, newID: UserID(high: randomSource.next(), low: randomSource.next()), sessionID: id,
            secret: randomSource.bytes(32), kind: kind, from: origin, now: now)
        let enter = EnterContainer(enrolment: enrolment, token: app.token, place: app.destination.text, now: now)
        return .later { done in
            host.runner.commit(enter.reading, to: app.store, decide: enter.decide) { result in
                switch result {
                case .success(let session):
                    done(
                        .blocking {
                            // A person whose account is being deleted is no longer let in.
                            do { return answer(try host.runner.stays(account, at: now) ? session : nil) } catch {
                                host.failed("checking whether an account is being deleted failed", app.tenant, error)
                                return answer(nil)
                            }
                        })
                case .failure(let error):
                    if host.runner.refusal(of: error, unknown: .recordNotFound) == nil {
                        host.failed("signing in a person failed", app.tenant, error)
                    }
                    done(answer(nil))
                }
            }
        }
    }
}
