import Audience
import CloudKitWire

func json(_ text: String) throws(WireError) -> JSONReader { try JSONReader(Array(text.utf8)[...]) }

/// The problem of a document; empty if it can be parsed.
func problem(_ text: String, _ read: (inout JSONReader) throws(WireError) -> Void) -> String {
    do throws(WireError) {
        var reader = try json(text)
        try read(&reader)
        try reader.finish()
        return ""
    } catch {
        return error.reason
    }
}

func context(_ text: String, now: Int64 = 0) throws -> EvaluationContext {
    var context = EvaluationContext(now: now)
    var reader = try json(text)
    try context.read(&reader)
    return context
}

func moment(_ text: String) -> Int64 { Moment.milliseconds(text) ?? .min }

/// A Boolean flag with these rules.
func flag(
    _ id: String, rules: String? = nil, state: String = "on", prerequisites: String? = nil, schedule: String? = nil
) -> (id: String, flag: Result<Flag, FlagFailure>) {
    var fields = FlagFields(id: id)
    fields.state = state
    fields.variants = #"{"off":false,"on":true}"#
    (fields.offVariant, fields.defaultVariant) = ("off", "off")
    (fields.rules, fields.prerequisites, fields.schedule) = (rules, prerequisites, schedule)
    return (id, Result { () throws(FlagFailure) in try Flag(fields) })
}
