import Audience
import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

/// Notifies connected clients when values of flags may have changed: because a flag was saved or the settings changed, on any
/// server, or because of a schedule. It does not evaluate: a client requests the values again, and gets a 304 if nothing has
/// changed for it.
struct FlagStream {
    private let call: AdmittedCall
    private let host: FeatureHost
    private let memory: FlagCache
    /// The print of the caller from the response about all flags; 0 if missing.
    private let caller: UInt64
    /// The state of the flags that the client has.
    private let state: String?

    init(_ call: AdmittedCall, _ host: FeatureHost, _ memory: FlagCache) {
        (self.call, self.host, self.memory) = (call, host, memory)
        caller = RequestQuery.value(of: "context", in: call.call.request.target).flatMap { UInt64($0, radix: 16) } ?? 0
        state = RequestQuery.value(of: "state", in: call.call.request.target)
    }

    var work: Work {
        host.stream(call, of: [Flags.topic]) { [memory, host, caller, state] _, store, seen in
            let now = host.worker.now
            let flags = try memory.current(store, now: now)
            let print = FlagPrint(state: flags.state(at: now), caller: caller)
            let id = String(print.state, radix: 16)
            let next = flags.set.nextEdge(after: now)
            guard id != seen ?? state else { return StreamStep(nil, wakesAt: next) }
            var json = JSONWriter()
            json.beginObject()
            json.member("type", "refetchEvaluation")
            json.member("etag", print.entityTag)
            json.endObject()
            return StreamStep(StreamEvent(id: id, "message", data: json.bytes), wakesAt: next)
        }
    }
}

extension JSONWriter {
    /// Writes where to be notified of changes to this response. The API token is in the address, because browsers send no headers
    /// with a stream; a person's token is not.
    mutating func writeStreams(of print: FlagPrint, _ call: AdmittedCall) {
        let token = call.query.apiToken.map { "&ckAPIToken=\(PercentCoding.encode(String($0)))" } ?? ""
        let place = "/nephos/1/\(call.tenant.container)/\(call.tenant.environment.rawValue)/flags/stream"
        let query = "context=\(String(print.caller, radix: 16))&state=\(String(print.state, radix: 16))"
        key("eventStreams")
        beginArray()
        beginObject()
        member("type", "sse")
        member("url", "\(call.publicURL)\(place)?\(query)\(token)")
        endObject()
        endArray()
    }
}
