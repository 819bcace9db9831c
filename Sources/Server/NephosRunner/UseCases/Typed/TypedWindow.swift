import CloudKitWire
package import NephosStorage

/// The period in which something is shown, as an operator types it with `--at` and `--until`.
package struct TypedWindow: Sendable {
    private let at, until: TypedMoment?

    fileprivate init(_ at: TypedMoment?, _ until: TypedMoment?) { (self.at, self.until) = (at, until) }

    /// Whether its end is all that was typed: a moment, not a duration.
    package var hasOnlyEnd: Bool { at == nil && until != nil }

    /// nil for no end.
    package var end: Milliseconds? { until?.time }

    /// - Parameter now: The start if none was typed.
    /// - Throws: If it would end before it begins.
    package func start(now: Milliseconds) throws(Failure) -> Milliseconds {
        let start = at?.time ?? now
        if let end, end <= start { throw Failure("It would end before it begins: --until must be later than --at.") }
        return start
    }

    /// For people.
    package func sentence(of name: String, in environment: Environment, now: Milliseconds) throws(Failure) -> String {
        Self.sentence(of: name, in: environment, from: try start(now: now), until: end, now: now)
    }

    /// The same for any window.
    package static func sentence(
        of name: String, in environment: Environment, from start: Milliseconds, until end: Milliseconds?,
        now: Milliseconds
    ) -> String {
        let place = environment.rawValue
        if let end, end <= now {
            return "\(name) is not shown in \(place): its time ended at \(ISO8601.text(end))."
        }
        let end = end.map { ", until \(ISO8601.text($0))" } ?? ""
        return start <= now
            ? "\(name) is shown in \(place)\(end)."
            : "\(name) will be shown in \(place) from \(ISO8601.text(start)) on\(end)."
    }
}

extension Input where Value == TypedWindow {
    package static var window: Input {
        Input(
            Input<TypedMoment?>.moment("at", help: "When it begins; by default now."),
            Input<TypedMoment?>.moment("until", help: "When it ends; by default never.")
        ) { at, until throws(WrongInput) in TypedWindow(at, until) }
    }
}
