import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

/// Signs somebody in to a container, for an app that they let act as them: the session is made as an operator makes one.
struct EnterContainer: Sendable {
    let enrolment: Enrolment
    /// Hash of the API token.
    let token: [UInt8]
    /// Whom it is told to, as ``ConsentRow/origin`` has it.
    let place: String
    let now: Milliseconds

    var reading: ReadSet { enrolment.reading }

    /// Answers the session that was made.
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

    /// Whether the person of an account has let this app act as them before. May wait.
    static func hasConsent(of account: String, _ app: AskingApp) throws(StorageError) -> Bool {
        guard let user = try app.store.rows(UserRow.from([(.account, account)])).first else { return false }
        return try !app.store.rows(ConsentRow.of(user.id, app.token, app.destination.text)).isEmpty
    }
}

extension SignInDesk {
    /// Makes a session for the person of an account, who lets an app act as them. May wait.
    ///
    /// - Parameters:
    ///   - id: Of the session: 16 bytes of chance.
    ///   - answer: Told the session, or nil where the server failed, which its log knows then.
    func enter(
        _ account: String, _ app: AskingApp, _ id: [UInt8], _ kind: SessionRow.Kind, at now: Milliseconds,
        _ answer: @escaping @Sendable (SessionRow?) -> Work
    ) throws -> Work {
        try places.note(account, app.tenant, at: now)
        let chance = host.chance
        let enrolment = Enrolment.person(
            account: account, newID: UserID(high: chance.next(), low: chance.next()), sessionID: id,
            secret: chance.bytes(32), kind: kind, now: now)
        let enter = EnterContainer(enrolment: enrolment, token: app.token, place: app.destination.text, now: now)
        return .later { done in
            host.runner.commit(enter.reading, to: app.store, decide: enter.decide) { result in
                switch result {
                case .success(let session):
                    done(
                        .blocking {
                            // Who leaves meanwhile is let in nowhere any more.
                            do { return answer(try host.runner.stays(account, at: now) ? session : nil) } catch {
                                host.failed("it could not be seen whether somebody stays", app.tenant, error)
                                return answer(nil)
                            }
                        })
                case .failure(let error):
                    if host.runner.refusal(of: error, unknown: .recordNotFound) == nil {
                        host.failed("somebody could not be signed in", app.tenant, error)
                    }
                    done(answer(nil))
                }
            }
        }
    }
}
