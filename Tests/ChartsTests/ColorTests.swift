import Charts
import Foundation
import Testing

@Suite("Colors") struct ColorTests {
    static let themes: [(theme: Theme, color: @Sendable (SplitColor) -> String)] = [
        (.light, { $0.inLight }), (.dark, { $0.inDark }),
    ]

    @Test("Text has a contrast of at least 4.5 with its background, and lines and bars of at least 3")
    func contrast() {
        for (theme, color) in Self.themes {
            let paper = Light(theme.paper)
            for text in [theme.ink, theme.soft] { #expect(Light(text).contrast(with: paper) >= 4.5, "\(text)") }
            let drawn = SplitColor.all.map(color) + [theme.base, theme.before]
            for line in drawn { #expect(Light(line).contrast(with: paper) >= 3, "\(line) on \(theme.paper)") }
        }
    }

    /// By CIEDE2000, in which 2 is the smallest difference visible side by side.
    @Test(
        "Adjacent colors of a split are distinguishable with every kind of color vision, and so are all twelve",
        arguments: Sight.allCases)
    func split(sight: Sight) {
        #expect(SplitColor.all.count == 13)
        for (theme, color) in Self.themes {
            let seen = SplitColor.all.map { Light(color($0)).seen(by: sight).lab }
            for (one, first) in seen.enumerated() {
                for other in seen.indices.dropFirst(one + 1) {
                    // The color `other` may follow any.
                    let limit = other == one + 1 ? 18.0 : other == one + 2 ? 12 : other == 12 ? 9 : 5
                    let distance = first.distance(to: seen[other])
                    #expect(
                        distance >= limit,
                        "\(sight), on \(theme.paper): \(one + 1) and \(other + 1) are \(distance) apart")
                }
            }
        }
    }

    @Test("The distance of colors matches published pairs")
    func distances() {
        // Sharma, Wu, Dalal: The CIEDE2000 Color-Difference Formula, table 1.
        let pairs: [(Lab, Lab, Double)] = [
            (Lab(50, 2.6772, -79.7751), Lab(50, 0, -82.7485), 2.0425), (Lab(50, 0, 0), Lab(50, -1, 2), 2.3669),
            (Lab(50, 2.5, 0), Lab(73, 25, -18), 27.1492),
            (Lab(60.2574, -34.0099, 36.2677), Lab(60.4626, -34.1751, 39.4387), 1.2644),
            (Lab(2.0776, 0.0795, -1.1350), Lab(0.9033, -0.0636, -0.5514), 0.9082),
        ]
        for (one, other, distance) in pairs { #expect((one.distance(to: other) - distance).magnitude < 0.0001) }
    }
}
