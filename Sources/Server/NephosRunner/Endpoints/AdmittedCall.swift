package import CloudKitWire
package import NephosDomain
package import NephosStorage

/// A call whose caller was admitted: everything that one attempt at an answer needs. A class, because it is passed around.
package final class AdmittedCall: Sendable {
    package let call: Call
    package let context: RequestContext
    let issuer: WebAuthToken.Issuer?
    package let store: any TenantStore
    /// The caller who was admitted by a token of the endpoint; nil if another credential was used.
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
    package var requestLimits: RequestLimits { wantsExtras ? .ofNephosClients : .standard }
    package var randomSource: RandomSource { responder.configuration.randomSource }
    /// The time since the request arrived.
    package var age: Milliseconds { responder.configuration.clock() - call.request.arrivedAt }
    package var publicURL: String { call.publicURL }
    var credentials: Credentials { responder.credentials(of: call) }

    /// For a record that is created without a name.
    package func newName() -> Name { Name(randomSource.newID().text) }

    /// An answer with this body.
    package func success(_ body: [UInt8]) -> RawResponse { Answers.success(body, self) }

    /// The result of a failure: an error response, or another attempt if that may help.
    package func failed(_ error: any Error) -> Work { responder.answer(error, self) }

    /// The error response to a failure that another attempt would not help.
    package func refused(_ error: any Error) -> Work { responder.answer(error, call, issuer) }

    /// The same call again, starting with authentication; nil after too many attempts. May block.
    package func again() -> Work? {
        attempt < Runner.attemptsMax ? responder.run(call, store, attempt: attempt + 1) : nil
    }

    /// Reads `set`, and answers with the result of `body`.
    package func read(_ set: ReadSet, _ body: @escaping @Sendable (Reading) throws -> [UInt8]) -> Work {
        carryOut(set) { .answer(self.success(try body($0))) }
    }

    /// Reads `set`, and continues with the result of `body`.
    package func carryOut(_ set: ReadSet, _ body: @escaping @Sendable (Reading) throws -> Work) -> Work {
        var set = set
        context.foreign?.prove(by: &set)
        let longQueries = responder.longQueries
        if !store.readsWait {
            if set.isBounded { return finish(set, body) }
            if let brief = set.brief, set.queries.isEmpty || !longQueries.pass(set) {
                if let work = finishBriefly(brief, of: set, body) { return work }
                if !set.queries.isEmpty { longQueries.add(set) }
            }
        }
        set.abandonment = call.request.abandonment
        return .blocking { [set] in self.finish(set, body) }
    }

    /// The result of a read within a small budget; nil if the read was given up.
    ///
    /// - Parameter set: What is read; `brief` is its ``ReadSet/brief``.
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
            return try body(try responder.runner.read(set, from: store, authenticatedBy: context))
        } catch {
            return failed(error)
        }
    }

    package var runner: Runner { responder.runner }

    /// Decides and writes, and answers with what `body` returns for the decision's answer.
    // Inlined, because code that is generic over types of another module looks up type metadata each time.
    @inlinable
    package func commit<Answer: Sendable>(
        _ set: ReadSet, decide: @escaping @Sendable (Reading) throws -> Decision<Answer>,
        _ body: @escaping @Sendable (Answer) -> [UInt8]
    ) -> Work {
        commit(set, decide: decide) { self.success(body($0)) }
    }

    /// Decides and writes, and goes on with something else.
    package func commit(
        _ set: ReadSet, decide: @escaping @Sendable (Reading) throws -> Decision<Void>,
        then next: @escaping @Sendable () -> Work
    ) -> Work {
        .later { done in
            self.runner.commit(set, to: self.store, authenticatedBy: self.context, decide: decide) { result in
                switch result {
                case .success: done(next())
                case .failure(let error): done(self.failed(error))
                }
            }
        }
    }

    /// The same for an answer with its own headers.
    @inlinable
    package func commit<Answer: Sendable>(
        _ set: ReadSet, decide: @escaping @Sendable (Reading) throws -> Decision<Answer>,
        _ body: @escaping @Sendable (Answer) -> RawResponse
    ) -> Work {
        var set = set
        context.foreign?.prove(by: &set)
        return .later { [set] done in
            self.runner.commit(set, to: self.store, authenticatedBy: self.context, decide: decide) {
                result in
                switch result {
                case .success(let answer): done(.answer(body(answer)))
                case .failure(let error): done(self.failed(error))
                }
            }
        }
    }
}
