import NephosDomain
import NephosStorage

extension EndpointResponder {
    /// A long body is accepted once its API token, or the id of its key, is known; that of a stranger is left in the socket.
    package func bodyMode(of head: RawRequest, bodyBytes: Int?) -> RequestBodyMode {
        if let pages = pages(for: head) { return pages.bodyMode(of: head, bodyBytes: bodyBytes) }
        if head.target.hasPrefix(FilePath.prefix) { return piecewise(head) ?? .unread { self.respond(to: $0) } }
        if let bodyBytes, bodyBytes <= configuration.unrecognizedBodyBytesMax { return .whole }
        guard let path = try? endpoints.path(head.path), path.endpoint.accepts(head.method),
            path.endpoint.isOfCallers
        else { return .unread { self.respond(to: $0) } }
        return bodyMode(of: Call(head, path: path, publicURL: configuration.publicURL))
    }

    private func bodyMode(of call: Call) -> RequestBodyMode {
        let came = ContinuousClock.now
        let tenant = call.tenant
        if let token = call.bearerToken, let bearers = call.endpoint.bearers {
            return bodyMode(of: call, token, by: bearers)
        }
        if let store = runner.engine.opened(tenant) {
            // Memory by name is only kept for tenants that exist.
            let (memory, credentials) = (runner.memory(of: tenant), credentials(of: call))
            if let catalog = memory.catalog, credentials.areRecognized(by: catalog) { return .whole }
            if !store.readsWait { return look(call, came: came) }
            if remembered(refusing: call, store, memory) != nil { return unread(call) { credentials.unknown } }
        } else if runner.strangers.isKnownMissing(tenant) {
            return unread(call) { StorageError.noSuchTenant }
        }
        return meeting(call) { self.look(call, came: came) }
    }

    /// Accepts a long body once the token sent with it was found valid.
    private func bodyMode(of call: Call, _ token: String, by bearers: BearerTokens) -> RequestBodyMode {
        if runner.strangers.isKnownMissing(call.tenant) { return unread(call) { StorageError.noSuchTenant } }
        return meeting(call) {
            do {
                return try self.isKnown(call, token, by: bearers) ? .whole : self.unread(call) { bearers.unknown }
            } catch {
                return self.unread(call) { error }
            }
        }
    }

    /// Authenticates the caller on a thread that may block, in a stranger's slot.
    private func meeting(_ call: Call, _ look: @escaping @Sendable () -> RequestBodyMode) -> RequestBodyMode {
        .later { done in
            self.runner.strangers.enter(of: call.request.network) { isIn in
                guard isIn else { return done(self.unread(call) { Refusal.tooManyStrangers }) }
                done(
                    .blocking {
                        defer { self.runner.strangers.leave() }
                        return look()
                    })
            }
        }
    }

    /// Judges by what is stored; on a thread that may block if reads block.
    private func look(_ call: Call, came: ContinuousClock.Instant) -> RequestBodyMode {
        let credentials = credentials(of: call)
        do throws(StorageError) {
            let store = try runner.open(call.tenant)
            let catalog = try runner.memory(of: call.tenant).reread(store, unlessSince: came)
            if credentials.areRecognized(by: catalog) { return .whole }
            note(unknown: call)
            return unread(call) { credentials.unknown }
        } catch {
            return unread(call) { error }
        }
    }

    /// Responds with the request as it is known at the time of the response, including the connection's id and address.
    private func unread(_ call: Call, _ error: @escaping @Sendable () -> any Error) -> RequestBodyMode {
        .unread { request in
            self.answer(error(), Call(request, path: call.path, publicURL: self.configuration.publicURL))
        }
    }

    // MARK: Piece by piece

    private func piecewise(_ head: RawRequest) -> RequestBodyMode? {
        guard let path = try? endpoints.path(head.path), let body = path.endpoint.pieces,
            body.isUsed(Call(head, path: path, publicURL: configuration.publicURL))
        else { return nil }
        return .pieces(bytesMax: body.bytesMax) { self.take(body, $0, path) }
    }

    private func take(_ body: StreamedBody, _ reader: BodyReader, _ path: EndpointPath) {
        let call = Call(reader.request, path: path, publicURL: configuration.publicURL)
        @Sendable func begin(known: @escaping @Sendable () -> Void) {
            body.take(reader, call, StreamedBody.Callbacks(known: known) { self.answer($0, call) })
        }
        if runner.engine.opened(call.tenant) != nil, isIssuedHere(call) { return begin {} }
        if runner.strangers.isKnownMissing(call.tenant) {
            reader.answer(answer(StorageError.noSuchTenant, call))
            return
        }
        runner.strangers.enter(of: call.request.network) { isIn in
            guard isIn else {
                reader.answer(self.answer(Refusal.tooManyStrangers, call))
                return
            }
            begin { self.runner.strangers.leave() }
        }
    }
}
