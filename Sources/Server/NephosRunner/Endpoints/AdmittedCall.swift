package import CloudKitWire
package import NephosDomain
package import NephosStorage

/// A call whose caller was let in: everything that one attempt at an answer needs. A class, since it goes from hand to hand.
package final class AdmittedCall: Sendable {
    package let call: Call
    package let context: RequestContext
    let issuer: WebAuthToken.Issuer?
    package let store: any TenantStore
    /// Who was let in by a token of the endpoint's own; nil where another credential did.
    package let bearer: Bearer?
    let attempt: Int
    private let responder: EndpointResponder

    init(
        _ call: Call, _ context: RequestContext, _ issuer: WebAuthToken.Issuer?, _ store: any TenantStore,
        bearer: Bearer? = nil, attempt: Int, _ responder: EndpointResponder
    ) {
        self.call = call
        self.context = context
        self.issuer = issuer
        self.store = store
        self.bearer = bearer
        self.attempt = attempt
        self.responder = responder
    }

    package var body: ArraySlice<UInt8> { call.request.body[...] }
    package var query: RequestQuery { call.query }
    package var tenant: Tenant { call.tenant }
    package var wantsExtras: Bool { call.wantsExtras }
    package var chance: Chance { responder.configuration.chance }
    /// How long ago the request has arrived.
    package var age: Milliseconds { responder.configuration.clock() - call.request.arrivedAt }
    package var publicURL: String { call.publicURL }
    var credentials: Credentials { responder.credentials(of: call) }

    /// For what is made without a name.
    package func newName() -> Name { Name(chance.newID().text) }

    /// An answer with this body.
    package func success(_ body: [UInt8]) -> RawResponse { Answers.success(body, self) }

    /// What becomes of a failure: an answer to it, or another attempt where that may help.
    package func failed(_ error: any Error) -> Work { responder.answer(error, self) }

    /// An answer to a failure that another attempt would not help.
    package func refused(_ error: any Error) -> Work { responder.answer(error, call, issuer) }

    /// The same call again, from who asks on; nil where it was tried often enough. May wait.
    package func again() -> Work? {
        attempt < Runner.attemptsMax ? responder.run(call, store, attempt: attempt + 1) : nil
    }

    /// Reads `set`, and answers with what `body` makes of it.
    package func read(_ set: ReadSet, _ body: @escaping @Sendable (Reading) throws -> [UInt8]) -> Work {
        carryOut(set) { .answer(self.success(try body($0))) }
    }

    /// Reads `set`, and goes on with what `body` makes of it.
    package func carryOut(_ set: ReadSet, _ body: @escaping @Sendable (Reading) throws -> Work) -> Work {
        let longQueries = responder.longQueries
        if !store.readsWait {
            if set.isBounded { return finish(set, body) }
            if let brief = set.brief, set.queries.isEmpty || !longQueries.pass(set) {
                if let work = finishBriefly(brief, of: set, body) { return work }
                if !set.queries.isEmpty { longQueries.add(set) }
            }
        }
        var set = set
        set.abandonment = call.request.abandonment
        return .blocking { [set] in self.finish(set, body) }
    }

    /// What a read comes to that takes little; nil when it was given up.
    ///
    /// - Parameter set: What is asked for, and `brief` its ``ReadSet/brief``.
    private func finishBriefly(_ brief: ReadSet, of set: ReadSet, _ body: (Reading) throws -> Work) -> Work? {
        var isGivenUp = false
        let work = finish(brief) { reading in
            responder.configuration.readBriefly?(reading.work)
            isGivenUp = set.isCutShort(reading)
            return isGivenUp ? .failed(Refusal.failed) : try body(reading)
        }
        return isGivenUp ? nil : work
    }

    func finish(_ set: ReadSet, _ body: (Reading) throws -> Work) -> Work {
        do {
            return try body(try responder.runner.read(set, from: store, judgedBy: context))
        } catch {
            return failed(error)
        }
    }

    package var runner: Runner { responder.runner }

    /// Decides and writes, and answers with what `body` makes of the answer.
    // Inlined, since code that is generic over what another room has asks the runtime for types each time.
    @inlinable
    package func commit<Answer: Sendable>(
        _ set: ReadSet, decide: @escaping @Sendable (Reading) throws -> Decision<Answer>,
        _ body: @escaping @Sendable (Answer) -> [UInt8]
    ) -> Work {
        commit(set, decide: decide) { self.success(body($0)) }
    }

    /// The same with an answer that has headers of its own.
    @inlinable
    package func commit<Answer: Sendable>(
        _ set: ReadSet, decide: @escaping @Sendable (Reading) throws -> Decision<Answer>,
        _ body: @escaping @Sendable (Answer) -> RawResponse
    ) -> Work {
        .later { done in
            self.runner.commit(set, to: self.store, judgedBy: self.context, decide: decide) {
                result in
                switch result {
                case .success(let answer): done(.answer(body(answer)))
                case .failure(let error): done(self.failed(error))
                }
            }
        }
    }
}
