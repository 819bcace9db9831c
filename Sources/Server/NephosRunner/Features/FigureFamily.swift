/// Metrics with one name, distinguished by labels, whose number varies over time.
package struct FigureFamily: Sendable {
    package enum Kind: String, Sendable { case gauge, counter }

    package struct Figure: Sendable, Equatable {
        /// In this order, each name once. A value is any text.
        package var labels: [(name: String, value: String)]
        package var value: Double

        package init(_ labels: [(name: String, value: String)], _ value: Double) {
            (self.labels, self.value) = (labels, value)
        }

        package static func == (left: Self, right: Self) -> Bool {
            left.value == right.value && left.labels.elementsEqual(right.labels) { $0 == $1 }
        }
    }

    /// Such as `nephos_trend_records`.
    package let name: String
    package let kind: Kind
    /// Called whenever the metrics are scraped; must not block.
    package let figures: @Sendable () -> [Figure]

    package init(_ name: String, _ kind: Kind, figures: @escaping @Sendable () -> [Figure]) {
        (self.name, self.kind, self.figures) = (name, kind, figures)
    }
}
