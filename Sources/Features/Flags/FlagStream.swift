import Audience
import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

/// Tells who is connected when flags may be served otherwise: since one was saved or the settings changed, on whichever server, or
/// since its time has come. It does not evaluate: whoever is told asks again, and gets 304 where nothing is different for them.
struct FlagStream {
    private let call: AdmittedCall
    private let host: FeatureHost
    private let memory: FlagMemory
    /// For whom, as the answer about all flags has said; 0 without it.
    private let asker: UInt64
    /// Which flags the client has.
    private let state: String?

    init(_ call: AdmittedCall, _ host: FeatureHost, _ memory: FlagMemory) {
        (self.call, self.host, self.memory) = (call, host, memory)
        asker = RequestQuery.value(of: "context", in: call.call.request.target).flatMap { UInt64($0, radix: 16) } ?? 0
        state = RequestQuery.value(of: "state", in: call.call.request.target)
    }

    var work: Work {
        host.stream(call, of: [Flags.topic]) { [memory, host, asker, state] _, store, seen in
            let now = host.worker.now
            let flags = try memory.current(store, now: now)
            let print = FlagPrint(state: flags.state(at: now), asker: asker)
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
    /// Where to be told of changes of what was just answered. The API token stands in the address, since browsers send no headers with a
    /// stream; a person's token does not.
    mutating func writeStreams(of print: FlagPrint, _ call: AdmittedCall) {
        let token = call.query.apiToken.map { "&ckAPIToken=\(PercentCoding.encode(String($0)))" } ?? ""
        let place = "/nephos/1/\(call.tenant.container)/\(call.tenant.environment.rawValue)/flags/stream"
        let query = "context=\(String(print.asker, radix: 16))&state=\(String(print.state, radix: 16))"
        key("eventStreams")
        beginArray()
        beginObject()
        member("type", "sse")
        member("url", "\(call.publicURL)\(place)?\(query)\(token)")
        endObject()
        endArray()
    }
}
