import NephosDomain
import NephosRunner
import NephosStorage

extension CloudKitResponder {
    /// A long body is taken in once its API token, or the id of its key, is known; a stranger's stays in the socket.
    package func reception(of head: RawRequest, bodyBytes: Int?) -> Reception {
        if let bodyBytes, bodyBytes <= configuration.unrecognizedBodyBytesMax { return .whole }
        guard let path = try? paths.path(head.path), path.endpoint.accepts(head.method), path.endpoint != .courier
        else { return .unread { self.respond(to: $0) } }
        return reception(of: Call(head, path: path, publicURL: configuration.publicURL))
    }

    private func reception(of call: Call) -> Reception {
        let came = ContinuousClock.now
        let tenant = call.path.tenant
        if let store = runner.engine.opened(tenant) {
            // Only of what exists is anything remembered by name.
            let (memory, credentials) = (runner.memory(of: tenant), credentials(of: call))
            if let catalog = memory.catalog, credentials.areRecognized(by: catalog) { return .whole }
            if !store.readsWait { return look(call, came: came) }
            if remembered(refusing: call, store, memory) != nil { return unread(call) { credentials.unknown } }
        } else if runner.strangers.areKnownToLack(tenant) {
            return unread(call) { StorageError.noSuchTenant }
        }
        return .later { done in
            self.runner.strangers.enter { isIn in
                guard isIn else { return done(self.unread(call) { Refusal.tooManyStrangers }) }
                done(
                    .blocking {
                        defer { self.runner.strangers.leave() }
                        return self.look(call, came: came)
                    })
            }
        }
    }

    func credentials(of call: Call) -> Credentials {
        call.credentials(signatureWindow: configuration.signatureWindow)
    }

    /// Judges by what is stored. Where that waits, it is on a thread that may.
    private func look(_ call: Call, came: ContinuousClock.Instant) -> Reception {
        let credentials = credentials(of: call)
        do throws(StorageError) {
            let store = try runner.open(call.path.tenant)
            let catalog = try runner.memory(of: call.path.tenant).reread(store, unlessSince: came)
            if credentials.areRecognized(by: catalog) { return .whole }
            note(unknown: call)
            return unread(call) { credentials.unknown }
        } catch {
            return unread(call) { error }
        }
    }

    /// An answer to the request as it is known when it is answered, which has the connection's id and address.
    private func unread(_ call: Call, _ error: @escaping @Sendable () -> any Error) -> Reception {
        .unread { request in
            self.answer(error(), Call(request, path: call.path, publicURL: self.configuration.publicURL))
        }
    }
}
