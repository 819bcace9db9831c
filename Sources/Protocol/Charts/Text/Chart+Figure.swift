extension Chart {
    /// The widths for which ``figure(id:)`` contains a picture, in pixels.
    public static let figureWidths = [320, 480, 768, 1_200]

    /// The picture and, collapsible below it, the table, for a page that contains ``pageStyle``.
    ///
    /// It contains a picture for each of ``figureWidths`` and shows the one that fits its container, so that text is neither
    /// smaller than 11 pixels nor large. The container has to be 295 pixels wide.
    public func figure(id: String) -> String {
        var html = Markup()
        html.element("figure", ["class": "nephos-figure"]) { html in
            for width in Self.figureWidths {
                html.element("div", ["class": "at-\(width)"]) {
                    $0.append(svg(id: "\(id)-\(width)", width: width, carriesStyle: false))
                }
            }
            html.element("details") { html in
                html.element("summary", "Figures")
                html.element("div", ["class": "wide"]) { $0.append(table()) }
            }
        }
        html.line()
        return html.text
    }

    static let figureRules: String = {
        let starts = figureWidths.map { ($0 * 92 + 99) / 100 }
        let shown = figureWidths.indices.map { place in
            let from = place == 0 ? "" : "(min-width:\(starts[place])px)"
            let to = place == starts.count - 1 ? "" : "(width < \(starts[place + 1])px)"
            let condition = [from, to].filter { !$0.isEmpty }.joined(separator: " and ")
            return "@container nephos-figure \(condition){.nephos-figure>.at-\(figureWidths[place]){display:block}}"
        }
        return ".nephos-figure{margin:0;container:nephos-figure/inline-size}.nephos-figure>div{display:none}"
            + shown.joined() + ".nephos-figure summary{cursor:pointer}.nephos-figure .wide{overflow-x:auto}"
            + ".nephos-table{border-collapse:collapse;font-variant-numeric:tabular-nums}"
            + ".nephos-table caption{text-align:start;font-weight:600;padding:.5em 0}"
            + ".nephos-table th,.nephos-table td{padding:.2em .8em;text-align:end}"
            + ".nephos-table tr>:first-child{text-align:start}"
    }()
}
