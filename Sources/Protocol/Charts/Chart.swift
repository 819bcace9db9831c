/// Figures by period, as a picture (``svg(id:width:showsTitle:carriesStyle:)``) and as a table (``table()``).
///
/// All text may come from anybody: it is escaped, rid of control characters, and cut where it is too long to be drawn.
/// The same chart gives the same bytes, in any locale.
public struct Chart: Sendable, Hashable {
    /// Said above the picture and over the table: `New records of Post by month`.
    public var title: String
    /// What the picture is about, for who does not see it. A summary of the figures is added.
    public var description: String
    /// From left to right. There may be thousands; none says `No data`.
    public var periods: [Period]
    public var content: Content
    /// What the figures compare with, drawn as a faint line: `a year before`, over the same periods.
    public var before: Series?
    /// Moments to know, such as releases.
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
        /// A bar for each period whose parts stand on each other, negative ones below zero. The first twelve have colors of their own;
        /// those behind them are added to `other`, which is gray and comes last.
        case stackedBars([Series], other: Series? = nil)
        /// A line for each series, the first twelve; the table has all.
        ///
        /// - Parameter startsAtZero: Where it is false the axis begins near the lowest value, so that small changes of large numbers show.
        case lines([Series], startsAtZero: Bool = true)
    }

    /// A day, a month, or whatever figures are counted by.
    public struct Period: Sendable, Hashable {
        /// In titles of bars and in the table: `2026-11-23`.
        public var label: String
        /// On the axis, where it is nil ``label``. The shorter, the more of them find room: at most eight do.
        public var shortLabel: String?
        /// It has not ended, as a rule the last one: its bar is lighter, and called `so far`.
        public var isPartial: Bool

        public init(_ label: String, short shortLabel: String? = nil, isPartial: Bool = false) {
            (self.label, self.shortLabel, self.isPartial) = (label, shortLabel, isPartial)
        }
    }

    /// A value for each period.
    public struct Series: Sendable, Hashable {
        public var name: String
        /// In the order of the periods. nil is not known, and drawn as a gap; so is what is no number or not below 10¹⁸, and what is missing
        /// at the end. What is beyond the last period is not shown.
        public var values: [Double?]

        public init(_ name: String, _ values: [Double?]) { (self.name, self.values) = (name, values) }

        public init(_ name: String, counts: [Int?]) { self.init(name, counts.map { $0.map(Double.init) }) }
    }

    /// A vertical line where a period begins.
    public struct Mark: Sendable, Hashable {
        /// `2.4`. It is left out where there is no room; the line's title says it then.
        public var label: String
        /// The period's place among ``Chart/periods``, from 0. A mark of any other place is not shown.
        public var period: Int

        public init(_ label: String, at period: Int) { (self.label, self.period) = (label, period) }
    }
}
