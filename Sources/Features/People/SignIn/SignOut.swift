import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

/// Signs a person out: ends the session of the call, or with `everywhere` all their sessions in this environment of the
/// container, with the devices registered by them.
enum SignOut {
    /// `POST /nephos/1/CONTAINER/ENVIRONMENT/sign-in/sign-out`: `{"everywhere":false}`, or nothing.
    static let endpoint = Endpoint("sign-in/sign-out", at: .container, methods: [.post], needsUser: true) { call in
        guard let session = call.context.caller.session else {
            throw Refusal.authenticationFailed(
                "a server-to-server key has no session: revoke it with nephos key revoke")
        }
        let isEverywhere: Bool
        do throws(WireError) { isEverywhere = try everywhere(call.body) } catch { throw Refusal.badRequest("\(error)") }
        return .later { done in
            end(isEverywhere ? .all : .one(session.id), of: session, call, RevokeSessions.Answer(), done)
        }
    }

    /// Ends sessions, as many per transaction as possible, until none are left.
    private static func end(
        _ which: RevokeSessions.Which, of session: SessionRow, _ call: AdmittedCall, _ before: RevokeSessions.Answer,
        _ done: @escaping @Sendable (Work) -> Void
    ) {
        let revoke = RevokeSessions(
            which, of: session.user, home: session.privateDatabase, now: call.context.now)
        // The first transaction may end the session that authorized the call.
        let context = before.sessions == 0 ? call.context : nil
        call.runner.commit(revoke.reading, to: call.store, authenticatedBy: context, decide: revoke.decide) { result in
            switch result {
            case .success(let ended):
                var sum = before
                sum.sessions += ended.sessions
                sum.devices += ended.devices
                guard ended.sessions < RevokeSessions.most else { return end(which, of: session, call, sum, done) }
                done(.answer(answer(sum, call)))
            case .failure(let error): done(call.failed(error))
            }
        }
    }

    /// Without a new token, unlike all other responses, because the token would not be valid.
    private static func answer(_ ended: RevokeSessions.Answer, _ call: AdmittedCall) -> RawResponse {
        let body = #"{"sessions":\#(ended.sessions),"devices":\#(ended.devices)}"#
        return RawResponse(body: Array(body.utf8), endpoint: call.call.path.endpoint.label)
    }

    private static func everywhere(_ body: ArraySlice<UInt8>) throws(WireError) -> Bool {
        guard !body.isEmpty else { return false }
        var (json, everywhere) = (try JSONReader(body), false)
        try json.readObject { json, key throws(WireError) in
            switch key {
            case "everywhere": everywhere = try json.readBool()
            default:
                throw WireError("the body can contain only everywhere, which is true or false", offset: json.offset)
            }
        }
        try json.finish()
        return everywhere
    }
}
