import CloudKitWire
import NephosRunner

/// A receiver that is notified when the number of records of a type is unusual.
struct TrendAlarm: Sendable, Equatable {
    enum Target: Sendable, Equatable {
        case webhook(WebhookAddress)
        case mail(MailAddress)
    }

    /// The limit per environment.
    static let most = 20

    let type: Name
    let target: Target

    /// `{type: Users, webhook: https://ops.example.com/hook, mail: ops@example.com}`: one value for each receiver.
    static func read(_ json: inout JSONReader) throws(WireError) -> [TrendAlarm] {
        var type: Name?
        var targets: [Target] = []
        let start = json.offset
        try json.readObject { json, key throws(WireError) in
            let start = json.offset
            switch key {
            case "type": type = try json.readName().owned
            case "webhook":
                let text = String(decoding: try json.readString(), as: UTF8.self)
                do throws(WebhookAddressError) { targets.append(.webhook(try WebhookAddress(text))) } catch {
                    throw WireError("\(error)", offset: start)
                }
            case "mail":
                let text = String(decoding: try json.readString(), as: UTF8.self)
                do throws(MailAddressError) { targets.append(.mail(try MailAddress(text))) } catch {
                    throw WireError("mail must be one address such as ops@example.com", offset: start)
                }
            default: throw WireError("unknown key; an alarm has type, webhook and mail", offset: start)
            }
        }
        guard let type, !type.bytes.isEmpty else { throw WireError("an alarm needs a type", offset: start) }
        guard !targets.isEmpty else { throw WireError("an alarm needs webhook or mail", offset: start) }
        return targets.map { TrendAlarm(type: type, target: $0) }
    }
}
