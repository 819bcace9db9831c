/// Why a use case failed: what happened, and what to do next.
package struct Failure: Error, Equatable, CustomStringConvertible {
    package enum Kind: Sendable { case failed, wrongUsage }

    package let text: String
    package let kind: Kind
    /// The text is shown as it is, without the prefix "Error".
    package let isWhole: Bool

    package init(_ text: String, kind: Kind = .failed, isWhole: Bool = false) {
        self.text = text
        self.kind = kind
        self.isWhole = isWhole
    }

    /// The text to show.
    package var shown: String { isWhole ? text : "Error: \(text)" }

    package var description: String { text }
}
