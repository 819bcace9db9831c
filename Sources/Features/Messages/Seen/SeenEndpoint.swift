import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

extension Messages {
    /// `POST /nephos/1/CONTAINER/ENVIRONMENT/messages/seen`: reports that somebody was shown a message, and what they did.
    static func seen() -> Endpoint {
        let allowance = RequestAllowance(MessageViewer.reportsMax)
        return Endpoint("messages/seen", at: .container, methods: [.post]) { call in
            let report: SeenReport
            do throws(WireError) { report = try SeenReport(call.body) } catch { throw Refusal.badRequest("\(error)") }
            let seer = MessageViewer(call, device: report.device)
            guard !seer.isUnidentified else {
                throw Refusal.badRequest("pass device, which identifies this installation, or send a web auth token")
            }
            // Device identifiers can be invented; people cannot.
            if seer.person == nil, let seconds = allowance.spend(call.call.request.network, now: call.context.now) {
                throw Refusal.throttled(
                    "too many reports from devices at one address: try again after retryAfter seconds", seconds: seconds
                )
            }
            let randomSource = call.randomSource
            let note = NoteSeen(
                message: Name(report.id), round: report.round, seer: seer, event: report.event, button: report.button,
                now: call.context.now,
                salt: (0..<4).flatMap { _ in withUnsafeBytes(of: randomSource.next()) { Array($0) } })
            return call.commit(note.reading, decide: note.decide) { Array("{}".utf8) }
        }
    }
}

/// `{"id":"anniversary","device":"…","event":"dismissed","button":"cancel"}`
struct SeenReport: Sendable {
    private(set) var id = ""
    private(set) var device: String?
    private(set) var event = SeenEvent.shown
    private(set) var button = ""
    /// The round in which it was seen (``MessageSaltRow/round``); nil if not reported.
    private(set) var round: Int64?

    init(_ body: ArraySlice<UInt8>) throws(WireError) {
        var json = try JSONReader(body)
        try json.readObject { json, key throws(WireError) in
            switch key {
            case "id": id = String(decoding: try json.readString(), as: UTF8.self)
            case "device":
                let text = String(decoding: try json.readString(), as: UTF8.self)
                guard text.utf8.count <= MessageViewer.deviceBytesMax else {
                    throw WireError("device has more than \(MessageViewer.deviceBytesMax) bytes", offset: json.offset)
                }
                device = text.isEmpty ? nil : text
            case "event":
                let word = String(decoding: try json.readString(), as: UTF8.self)
                guard let known = SeenEvent(rawValue: word) else {
                    throw WireError("event must be shown, acted or dismissed", offset: json.offset)
                }
                event = known
            case "button":
                let word = String(decoding: try json.readString(), as: UTF8.self)
                guard MessageKind.Role(rawValue: word) != nil else {
                    throw WireError("button must be action, cancel or okay", offset: json.offset)
                }
                button = word
            case "round": round = try json.readInt64()
            default:
                throw WireError("unknown key; a report has id, device, event, button and round", offset: json.offset)
            }
        }
        try json.finish()
        guard !id.isEmpty else { throw WireError("id is missing") }
    }
}
