/// Figures by period, as a picture (``svg(id:width:showsTitle:carriesStyle:)``) and as a table (``table()``).
///
/// Text may be untrusted: it is escaped, stripped of control characters, and truncated if it is too long to be drawn. The same
/// chart gives the same bytes, in any locale.
public struct Chart: Sendable, Hashable {
    /// Displayed above the picture and the table: `New records of Post by month`.
    public var title: String
    /// Description for screen readers. A summary of the figures is appended.
    public var description: String
    /// From left to right. There may be thousands; without any, the chart shows `No data`.
    public var periods: [Period]
    public var content: Content
    /// Figures for comparison, drawn as a faint line: `a year before`, over the same periods.
    public var before: Series?
    /// Notable times, such as releases.
    public var marks: [Mark]

    public init(
        title: String, description: String = "", periods: [Period], content: Content, before: Series? = nil,
        marks: [Mark] = []
    ) {
        (self.title, self.description, self.periods) = (title, description, periods)
        (self.content, self.before, self.marks) = (content, before, marks)
    }

    /// How figures are drawn.
    public enum Content: Sendable, Hashable {
        /// A bar for each period, from zero up, or down where a value is negative.
        case bars(Series)
        /// A bar for each period with stacked parts, negative ones below zero. The first twelve have their own colors; those after
        /// them are added to `other`, which is gray and comes last.
        case stackedBars([Series], other: Series? = nil)
        /// A line for each series, the first twelve; the table contains all.
        ///
        /// - Parameter startsAtZero: If false, the axis begins near the lowest value, so that small changes of large numbers are
        ///   visible.
        case lines([Series], startsAtZero: Bool = true)
    }

    /// A day, a month, or any other period that figures are counted by.
    public struct Period: Sendable, Hashable {
        /// The label in tooltips of bars and in the table: `2026-11-23`.
        public var label: String
        /// The label on the axis; ``label`` if nil. The shorter they are, the more of them fit: at most eight.
        public var shortLabel: String?
        /// Whether it has not ended, usually the last one: its bar is lighter, and labeled `so far`.
        public var isPartial: Bool

        public init(_ label: String, short shortLabel: String? = nil, isPartial: Bool = false) {
            (self.label, self.shortLabel, self.isPartial) = (label, shortLabel, isPartial)
        }
    }

    /// A value for each period.
    public struct Series: Sendable, Hashable {
        public var name: String
        /// In the order of the periods. nil is unknown, and drawn as a gap; so are values that are not finite or not below 10¹⁸,
        /// and missing values at the end. Values after the last period are not shown.
        public var values: [Double?]

        public init(_ name: String, _ values: [Double?]) { (self.name, self.values) = (name, values) }

        public init(_ name: String, counts: [Int?]) { self.init(name, counts.map { $0.map(Double.init) }) }
    }

    /// A vertical line at the beginning of a period.
    public struct Mark: Sendable, Hashable {
        /// `2.4`. It is omitted if there is no room; the line's tooltip then contains it.
        public var label: String
        /// The index of the period in ``Chart/periods``. Marks with any other index are not shown.
        public var period: Int

        public init(_ label: String, at period: Int) { (self.label, self.period) = (label, period) }
    }
}
