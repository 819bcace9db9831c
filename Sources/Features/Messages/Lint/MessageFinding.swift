import CloudKitWire

/// Something about a message that is probably a mistake (docs/messages.md, "Lint").
struct MessageFinding: Sendable, Equatable {
    enum Severity: String, Sendable {
        /// The message cannot be shown, or can be misused.
        case error
        case warning
    }

    /// The rule that was broken.
    enum Rule: Sendable, Equatable {
        /// A rule of docs/store-rules.md, by number.
        case store(Int)
        case unreadable, incomplete, label, length, language, audience, version, time, rights

        var text: String {
            if case .store(let number) = self { "store rule \(number)" } else { "\(self)" }
        }
    }

    /// The message; empty if the finding is about all.
    let message: String
    /// Empty if it does not depend on a language.
    let language: String
    let severity: Severity
    let rule: Rule
    /// The problem, and what to do.
    let text: String
}

extension MessageFinding {
    /// A row of a table: message, language, severity, rule, text.
    var row: [String] {
        [message, language].map { $0.isEmpty ? "-" : $0 } + [severity.rawValue, rule.text, text]
    }

    func write(to json: inout JSONWriter) {
        json.beginObject()
        if !message.isEmpty { json.member("message", message) }
        if !language.isEmpty { json.member("language", language) }
        json.member("severity", severity.rawValue)
        json.member("rule", rule.text)
        json.member("finding", text)
        json.endObject()
    }
}
