import CloudKitWire
import NephosRunner
import NephosStorage

extension UseCase {
    static let lintMessages = UseCase(
        "message lint", .reads,
        abstract: "Find probable mistakes in messages, and rules of app stores that they may break.",
        discussion: """
            Prints one line per finding, with what to do. Fails if one of them is an error: the message cannot be published, or everybody who is \
            signed in can publish messages. The rules of app stores are in docs/store-rules.md: they are hints, not legal advice.

            Examples:

              nephos message lint iCloud.com.example.app
              nephos message lint iCloud.com.example.app anniversary --output json
            """,
        .tenant, Input<String?>.argument("id", help: "The message's id; all messages if omitted."), .output
    ) { call, tenant, id, output in
        let operations = try MessageOperations(call, tenant)
        if let id { _ = try operations.record(id) }
        let all = try operations.all().filter { id == nil || $0.record.name.text == id }
        let messages = all.compactMap { entry -> Message? in
            if case .success(let message) = entry.message { message } else { nil }
        }
        let lint = try MessageLint(
            messages, operations.settings, operations.administration, operations.store, now: call.now())
        var findings = lint.findings(in: tenant.container, call.command)
        for (record, message) in all { findings += lint.findings(record.name, message) }
        let errors = findings.count { $0.severity == .error }
        return output.answer(
            ["Message", "Language", "Severity", "Rule", "Finding"], findings.map(\.row), whenEmpty: "Nothing found."
        ) { json in
            for finding in findings { finding.write(to: &json) }
        }
        .noting(messages.isEmpty ? nil : lint.doubt).noting(StoreRules.unread(messages))
        .failing(
            errors == 0
                ? nil : "\(errors) \(errors == 1 ? "problem" : "problems") in the messages; see the table above.")
    }
}
