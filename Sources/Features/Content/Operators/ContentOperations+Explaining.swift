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
        let reason: String? =
            switch try audiences().verdict(of: condition, for: context) {
            case .yes: nil
            case .unknown(let doubt): doubt.description
            case .no: try audiences().denial(of: condition, for: context)
            }
        let picked = reason.map { "is not picked for \(whom): \($0)" } ?? "is picked for \(whom)"
        return ["It is for \(words), and \(picked)."] + context.unreadableNotes.map { "In the context, \($0)." }
    }
}
