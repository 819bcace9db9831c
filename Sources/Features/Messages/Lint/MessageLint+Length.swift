import Audience
import CloudKitWire

extension MessageLint {
    /// What does not fit on a phone (``Phone``), in any language.
    static func lengths(_ message: Message) -> [MessageFinding] {
        var findings: [MessageFinding] = []
        func check(_ text: LocalizedText?, _ flaw: (String) -> String?) {
            for (tag, _, text) in text?.texts ?? [] {
                guard let flaw = flaw(text) else { continue }
                findings.append(
                    MessageFinding(
                        message: message.id.text, language: "\(tag)", severity: .warning, rule: .length, text: flaw))
            }
        }
        check(message.title) { title in
            let lines = title.harmless.wrapped(Phone.titleColumns).count
            guard lines > Phone.titleLines else { return nil }
            return "the title takes \(lines) lines on a phone, which shows \(Phone.titleLines): shorten it"
        }
        check(message.body) { body in
            let lines = body.harmless.wrapped(Phone.columns).count + listLines(of: message)
            guard lines > Phone.bodyLines else { return nil }
            return
                "text and list take \(lines) lines on a phone, which shows \(Phone.bodyLines) at a time: shorten them"
        }
        for (role, text) in message.buttons.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            check(text) { text in
                guard text.columns > Phone.buttonColumns else { return nil }
                return
                    "the button \(role.rawValue) has \(text.columns) letters and room for \(Phone.buttonColumns): shorten it"
            }
        }
        return findings
    }

    /// Uses the longest text of each entry.
    private static func listLines(of message: Message) -> Int {
        message.list.reduce(0) { sum, entry in
            sum + (entry.texts.map { $0.text.harmless.wrapped(Phone.columns - 2).count }.max() ?? 0)
        }
    }
}
