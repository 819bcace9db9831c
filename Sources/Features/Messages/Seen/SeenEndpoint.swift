import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

extension Messages {
    /// `POST /nephos/1/CONTAINER/ENVIRONMENT/messages/seen`: that somebody was shown a message, and what they did then.
    static let seen = Endpoint("messages/seen", at: .container, methods: [.post]) { call in
        let report: SeenReport
        do throws(WireError) { report = try SeenReport(call.body) } catch { throw Refusal.badRequest("\(error)") }
        let seer = Seer(call, device: report.device)
        guard !seer.isNobody else {
            throw Refusal.badRequest("say device, which stands for this installation, or ask with a web auth token")
        }
        var chance = call.chance
        let note = NoteSeen(
            message: Name(report.id), seer: seer, event: report.event, button: report.button, now: call.context.now,
            salt: (0..<4).flatMap { _ in withUnsafeBytes(of: chance.next()) { Array($0) } })
        return call.commit(note.reading, decide: note.decide) { Array("{}".utf8) }
    }
}

/// `{"id":"anniversary","device":"…","event":"dismissed","button":"cancel"}`
struct SeenReport: Sendable {
    private(set) var id = ""
    private(set) var device: String?
    private(set) var event = SeenEvent.shown
    private(set) var button = ""

    init(_ body: ArraySlice<UInt8>) throws(WireError) {
        var json = try JSONReader(body)
        try json.readObject { json, key throws(WireError) in
            switch key {
            case "id": id = String(decoding: try json.readString(), as: UTF8.self)
            case "device":
                let text = String(decoding: try json.readString(), as: UTF8.self)
                guard text.utf8.count <= Seer.deviceBytesMax else {
                    throw WireError("device has more than \(Seer.deviceBytesMax) bytes", offset: json.offset)
                }
                device = text.isEmpty ? nil : text
            case "event":
                let word = String(decoding: try json.readString(), as: UTF8.self)
                guard let known = SeenEvent(rawValue: word) else {
                    throw WireError("event is shown, acted or dismissed", offset: json.offset)
                }
                event = known
            case "button":
                let word = String(decoding: try json.readString(), as: UTF8.self)
                guard MessageKind.Role(rawValue: word) != nil else {
                    throw WireError("button is action, cancel or okay", offset: json.offset)
                }
                button = word
            default: throw WireError("a report has id, device, event and button", offset: json.offset)
            }
        }
        try json.finish()
        guard !id.isEmpty else { throw WireError("id is missing") }
    }
}
