import Charts

/// A chart of the gallery.
struct Exhibit {
    /// The base name of its files.
    let name: String
    let chart: Chart

    init(
        _ name: String, _ title: String, _ periods: [Chart.Period], _ content: Chart.Content,
        before: Chart.Series? = nil,
        marks: [Chart.Mark] = []
    ) {
        self.name = name
        chart = Chart(title: title, periods: periods, content: content, before: before, marks: marks)
    }

    static let all = readme + usual + hard

    /// The two charts of README.md.
    static let readme = [
        Exhibit(
            "readme-months", "New posts by month", SampleSeries.months(24), .bars(SampleSeries.posts(24)),
            before: SampleSeries.yearBefore(24),
            marks: [.init("2.0", at: 5), .init("2.1 with widgets", at: 14), .init("3.0", at: 20)]),
        Exhibit(
            "readme-versions", "New posts by version of the app", SampleSeries.months(18), SampleSeries.versions(18)),
    ]

    private static let usual = [
        Exhibit("months", "New posts by month", SampleSeries.months(12), .bars(SampleSeries.posts(12))),
        Exhibit(
            "days", "New posts by day", SampleSeries.days(90), .bars(SampleSeries.walk("Post", 90, seed: 3, around: 40))
        ),
        Exhibit(
            "two-apps", "New records of two apps by week", SampleSeries.weeks(52),
            .lines([
                SampleSeries.walk("ChibiStudio", 52, seed: 5, around: 1_400),
                SampleSeries.walk("Novenas", 52, seed: 6, around: 600),
            ]), marks: [.init("4.2", at: 12), .init("4.3", at: 40)]),
        Exhibit(
            "live", "Live posts by day", SampleSeries.days(60),
            .lines([.init("live", counts: (0..<60).map { 41_000 + $0 * $0 / 5 + $0 % 7 })], startsAtZero: false)),
        Exhibit(
            "net", "Posts created minus posts deleted, by week", SampleSeries.weeks(26),
            .bars(.init("net", counts: (0..<26).map { $0 * 37 % 41 - 22 }))),
    ]
}
