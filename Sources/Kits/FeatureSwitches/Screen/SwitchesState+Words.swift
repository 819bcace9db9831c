import Foundation

extension SwitchesState {
    /// The origin of values, for people.
    public var originText: String {
        switch origin {
        case .defaults: "Defaults: nothing has been fetched yet"
        case .kept(let date): "Saved at \(date.formatted(.iso8601))"
        case .fetched(let date): "Fetched \(date.formatted(.iso8601))"
        }
    }

    /// The current problems, for people; nil if there are none.
    public var problemText: String? {
        var problems: [String] = []
        if let failure {
            let times = failure.count == 1 ? "" : " (\(failure.count) times in a row)"
            problems.append("The last refresh failed\(times): \(failure.fault)")
        }
        if let fileProblem { problems.append(fileProblem) }
        if let streamFault { problems.append("The stream of changes ended: \(streamFault)") }
        return problems.isEmpty ? nil : problems.joined(separator: "\n")
    }
}

extension FlagRow {
    /// Why the flag has its value, in one line for people: `SPLIT, rule es, bucket 83663`.
    public var why: String {
        var words = [reason.rawValue]
        if let rule = metadata["rule"] { words.append("rule \(rule.plain)") }
        if let bucket = metadata["bucket"] { words.append("bucket \(bucket.plain)") }
        if let prerequisite = metadata["prerequisite"] { words.append("needs \(prerequisite.plain)") }
        if let passedOver = metadata["passedOver"] {
            words.append("skipped rule \(passedOver.plain)" + (metadata["why"].map { ": \($0.plain)" } ?? ""))
        }
        if let error { words.append(error.message) }
        return words.joined(separator: ", ")
    }
}

extension FlagValue {
    /// For people: text unchanged, everything else as JSON.
    var plain: String { stringValue ?? json }
}
