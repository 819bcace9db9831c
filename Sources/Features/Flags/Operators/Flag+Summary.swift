import Audience

extension Flag {
    /// Its values and number of rules, for people.
    var summary: String {
        let values = variants.prefix(3).map { "\($0.name): \($0.text)" } + (variants.count > 3 ? ["…"] : [])
        var parts = [values.joined(separator: ", ")]
        if !rules.isEmpty { parts.append(rules.count == 1 ? "1 rule" : "\(rules.count) rules") }
        if !schedule.isEmpty { parts.append("\(schedule.count) in its schedule") }
        return parts.joined(separator: "; ")
    }
}

extension Flag.Variant {
    /// Its value, shortened.
    var text: String {
        let text = String(decoding: json, as: UTF8.self)
        return text.count > 40 ? "\(text.prefix(39))…" : text
    }
}
