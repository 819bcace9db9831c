import Audience
import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

extension ContentOperations {
    /// Whether a record is picked for somebody, and if not, why.
    ///
    /// - Parameter said: What an app reports, as JSON; nil for nothing.
    func picking(of values: ContentValues, saying said: String?, now: Milliseconds) throws -> [String] {
        guard !values.audience.isEmpty else { return ["It is picked for everybody who sees it."] }
        let words = String(decoding: values.audience, as: UTF8.self)
        var context = EvaluationContext(now: now)
        do throws(WireError) {
            if let said {
                var json = try JSONReader(Array(said.utf8)[...])
                try context.read(&json)
                try json.finish()
            }
        } catch {
            throw Failure("--context is not a valid context: \(error)")
        }
        let condition: Condition?
        do throws(WireError) { condition = try AudienceText.condition(values.audience) } catch {
            return ["It is picked for nobody: its audience cannot be read: \(error)"]
        }
        guard let condition else { return ["It is picked for everybody who sees it."] }
        let whom = said == nil ? "an app that reports nothing" : "an app that reports this context"
        switch try audiences().verdict(of: condition, for: context) {
        case .yes: return ["It is for \(words), and is picked for \(whom)."]
        case .unknown(let doubt): return ["It is for \(words), and is not picked for \(whom): \(doubt)."]
        case .no:
            return [
                "It is for \(words), and is not picked for \(whom): \(try audiences().denial(of: condition, for: context))."
            ]
        }
    }
}
