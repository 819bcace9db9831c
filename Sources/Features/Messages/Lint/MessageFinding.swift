import CloudKitWire

/// Something about a message that is hardly meant so (docs/messages.md, "Lint").
struct MessageFinding: Sendable, Equatable {
    enum Severity: String, Sendable {
        /// It cannot be shown, or somebody may misuse it.
        case error
        case warning
    }

    /// Which rule finds it.
    enum Rule: Sendable, Equatable {
        /// One of docs/store-rules.md, by its number.
        case store(Int)
        case unreadable, incomplete, label, length, language, audience, version, time, rights

        var text: String {
            if case .store(let number) = self { "store rule \(number)" } else { "\(self)" }
        }
    }

    /// Of the message; empty where it is about all.
    let message: String
    /// Empty where it is about none.
    let language: String
    let severity: Severity
    let rule: Rule
    /// What it is, and what to do.
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
