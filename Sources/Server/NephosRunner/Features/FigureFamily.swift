/// Figures of one name that labels tell apart, of which there are more or fewer as time goes by.
package struct FigureFamily: Sendable {
    package enum Kind: String, Sendable { case gauge, counter }

    package struct Figure: Sendable, Equatable {
        /// In their order, each name once. A value is any text.
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
    /// Asked whenever somebody reads the metrics: it must not wait.
    package let figures: @Sendable () -> [Figure]

    package init(_ name: String, _ kind: Kind, figures: @escaping @Sendable () -> [Figure]) {
        (self.name, self.kind, self.figures) = (name, kind, figures)
    }
}
