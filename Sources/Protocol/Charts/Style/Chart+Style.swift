extension Chart {
    /// The CSS rules of every picture, for a page with several: it contains them once, and its pictures are created without them
    /// (`carriesStyle: false`). They apply to the class `nephos-chart` only.
    ///
    /// They are the same for all charts, so a page's Content Security Policy can allow them by hash; pictures have no `style`
    /// attributes.
    public static let style: String = {
        let dark = rules(.dark) { $0.inDark }
        return always + "@media screen{\(screen)\(rules(.light) { $0.inLight })}"
            + "@media screen and (prefers-color-scheme:dark){\(dark)}"
    }()

    /// ``style``, and the additional rules for ``figure(id:)`` and ``table()``.
    public static let pageStyle = style + figureRules

    private static let scope = ".nephos-chart"

    /// For paper, and wherever no colors are specified: attributes supply the rest.
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
