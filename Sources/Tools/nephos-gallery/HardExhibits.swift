import Charts

extension Exhibit {
    /// Cases that are difficult to draw.
    static let hard = sizes + values + names

    private static let sizes = [
        Exhibit(
            "one-bar", "One month", SampleSeries.months(1), .bars(SampleSeries.posts(1)),
            before: .init("a year before", [30])),
        Exhibit(
            "thousand-bars", "A thousand days", SampleSeries.days(1_000),
            .bars(SampleSeries.walk("Post", 1_000, seed: 9, around: 300))),
        Exhibit(
            "thousand-stacked", "A thousand days of three versions", SampleSeries.days(1_000),
            .stackedBars([
                SampleSeries.walk("3.0", 1_000, seed: 1, around: 300),
                SampleSeries.walk("2.1", 1_000, seed: 2, around: 200),
                SampleSeries.walk("2.0", 1_000, seed: 3, around: 90),
            ])),
        Exhibit(
            "year-of-days", "A year of days beside the one before", SampleSeries.days(365),
            .bars(SampleSeries.walk("Post", 365, seed: 4, around: 120)),
            before: SampleSeries.walk("a year before", 365, seed: 8, around: 80)),
        Exhibit("no-data", "Nothing is known of these", SampleSeries.months(6), .bars(.init("Post", []))),
        Exhibit("no-periods", "There are no periods", [], .lines([])),
    ]

    private static let values = [
        Exhibit(
            "zero", "Nothing was created", SampleSeries.months(12), .bars(.init("Post", SampleSeries.repeated(0, 12)))),
        Exhibit(
            "spike", "An import on a Tuesday", SampleSeries.days(30),
            .bars(SampleSeries.spike("Post", 30, at: 11, of: 41_372))),
        Exhibit(
            "spike-lines", "An import, as lines", SampleSeries.days(30),
            .lines([
                SampleSeries.spike("Post", 30, at: 11, of: 41_372), SampleSeries.walk("User", 30, seed: 4, around: 20),
            ])),
        Exhibit(
            "spike-down", "A purge", SampleSeries.days(30),
            .bars(SampleSeries.spike("net", 30, at: 20, of: -1_250_000)),
            marks: [.init("3.0", at: 20)]),
        Exhibit("gaps", "Deletions, known since June", SampleSeries.months(18), .bars(SampleSeries.gaps("Post", 18))),
        Exhibit(
            "gaps-lines", "Lines with gaps", SampleSeries.days(40),
            .lines([SampleSeries.gaps("Post", 40), SampleSeries.walk("User", 40, seed: 5, around: 10)])),
        Exhibit(
            "mixed", "Created and deleted", SampleSeries.months(12),
            .stackedBars([
                .init("created", counts: (0..<12).map { 20 + $0 * 7 % 23 }),
                .init("restored", counts: (0..<12).map { $0 * 5 % 7 }),
                .init("deleted", counts: (0..<12).map { -5 - $0 * 11 % 19 }),
            ])),
        Exhibit(
            "fractions", "Names in a list, on average", SampleSeries.months(9),
            .lines([.init("Novenas.names", (0..<9).map { 0.2 + Double($0 * 3 % 7) / 20 })])),
        Exhibit(
            "millions", "Large numbers", SampleSeries.months(12),
            .bars(SampleSeries.walk("Event", 12, seed: 2, around: 3_400_000))),
    ]

    private static let names = [
        Exhibit(
            "twelve", "Twelve languages and all others", SampleSeries.months(14), SampleSeries.languages(14, bars: true)
        ),
        Exhibit(
            "twelve-lines", "Twelve languages as lines", SampleSeries.months(14),
            SampleSeries.languages(14, bars: false)),
        Exhibit(
            "dangerous", "</title><script>alert(1)</script> & \"quotes\" \u{202E}turned\u{0} \u{7}round",
            (0..<8).map {
                .init("<b>\($0)</b> & a label of a period that does not end where others do", isPartial: $0 == 7)
            },
            .stackedBars([
                .init("]]><svg onload=alert(1)>", SampleSeries.walk("", 8, seed: 1, around: 30).values),
                .init(
                    String(repeating: "a very long name ", count: 40),
                    SampleSeries.walk("", 8, seed: 2, around: 30).values),
                .init("日本語の非常に長い名前がここにありますので切る必要があります", SampleSeries.walk("", 8, seed: 3, around: 30).values),
                .init("", SampleSeries.walk("", 8, seed: 4, around: 30).values),
            ]),
            marks: [.init("'\"><a href=javascript:x>", at: 3)]),
        Exhibit(
            "crowd", "Many releases", SampleSeries.days(60), .bars(SampleSeries.walk("Post", 60, seed: 7, around: 50)),
            marks: (0..<15).map { .init("4.\($0)", at: $0 * 4 + $0 % 3) }),
    ]

    static let sparklines: [(String, Sparkline)] = [
        (
            "Post",
            .init(
                title: "Post, thirty days", values: SampleSeries.walk("", 30, seed: 1, around: 40).values,
                isLastPartial: true)
        ),
        ("User", .init(title: "User, a year", values: SampleSeries.walk("", 365, seed: 2, around: 9).values)),
        ("Spike", .init(title: "Spike, thirty days", values: SampleSeries.spike("", 30, at: 9, of: 40_000).values)),
        ("Gaps", .init(title: "Gaps, forty days", values: SampleSeries.gaps("", 40).values)),
        ("Net", .init(title: "Net, thirty days", counts: (0..<30).map { $0 * 37 % 41 - 22 })),
        ("One", .init(title: "One day", counts: [4])),
        ("Zero", .init(title: "Zero, thirty days", values: SampleSeries.repeated(0, 30))),
        ("Nothing", .init(title: "Nothing, thirty days", values: [])),
    ]
}
