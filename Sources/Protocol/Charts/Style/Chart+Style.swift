extension Chart {
    /// The rules of every picture, for a page that holds several: it has them once, and its pictures are made without
    /// (`carriesStyle: false`). They are about the class `nephos-chart` alone.
    ///
    /// They are the same for all charts, so a policy of a page (CSP) can permit them by their hash; pictures have no attribute `style`.
    public static let style: String = {
        let dark = rules(.dark) { $0.inDark }
        return always + "@media screen{\(screen)\(rules(.light) { $0.inLight })}"
            + "@media screen and (prefers-color-scheme:dark){\(dark)}"
    }()

    /// ``style``, and what ``figure(id:)`` and ``table()`` need besides.
    public static let pageStyle = style + figureRules

    private static let scope = ".nephos-chart"

    /// On paper, and wherever else nothing is said about colors: what is not said here, attributes say.
    private static let always = [
        "{display:block;width:100%;height:auto}", ".small{display:inline-block;width:auto;vertical-align:middle}",
        " .paper{fill:#fff}", " text{fill:#000}", " .grid{stroke:#ccc}", " .base,\(scope) .mark{stroke:#000}",
        " .before{stroke:#000}", " .halo{stroke:#fff}", " .ring{fill:#fff}", " .hit{fill:#000;fill-opacity:0}",
        " .hit:hover{fill-opacity:.07}", " .gap{fill:#000;fill-opacity:.06}", " .partial{fill-opacity:.35}",
    ].map { scope + $0 }.joined()

    private static let screen = [
        " .bar{fill:currentColor;stroke:none}", " .partial .bar{stroke:currentColor}", " .dot{fill:currentColor}",
        " .line{stroke:currentColor}", " .line:not(.open){stroke-dasharray:none}", " .ring{stroke:currentColor}",
    ].map { scope + $0 }.joined()

    private static func rules(_ theme: Theme, _ color: (SplitColor) -> String) -> String {
        let parts = [
            " .paper,\(scope) .ring{fill:\(theme.paper)}", " .halo{stroke:\(theme.paper)}",
            " text{fill:\(theme.soft)}", " .strong{fill:\(theme.ink)}", " .grid{stroke:\(theme.grid)}",
            " .base,\(scope) .mark{stroke:\(theme.base)}", " .before{stroke:\(theme.before)}",
            " .hit,\(scope) .gap{fill:\(theme.ink)}",
        ]
        return (parts + SplitColor.all.map { " .\($0.name){color:\(color($0))}" }).map { scope + $0 }.joined()
    }
}
