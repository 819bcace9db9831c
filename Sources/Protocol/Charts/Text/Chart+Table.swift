extension Chart {
    /// The same figures as an HTML table with a caption, for people who cannot see the picture or want the numbers.
    ///
    /// Its rows are the periods, its columns the series, the figures for comparison and the marks if there are any. Unknown values
    /// are labeled as such.
    public func table() -> String {
        var html = Markup()
        let series = columns + [comparisonLayer].compactMap { $0 }
        let marks = Dictionary(grouping: placedMarks, by: \.period)
        let heads = ["Period"] + series.map(\.name) + (marks.isEmpty ? [] : ["Marks"])
        html.element("table", ["class": "nephos-table"]) { html in
            html.element("caption", title)
            html.element("thead") { html in
                html.element("tr") { row in heads.forEach { row.element("th", ["scope": "col"], $0) } }
            }
            html.element("tbody") { html in
                guard series.contains(where: \.hasData) else {
                    return html.element("tr") { $0.element("td", ["colspan": String(heads.count)], Self.noData) }
                }
                for (place, period) in periods.enumerated() {
                    html.element("tr") { row in
                        row.element("th", ["scope": "row"], period.fullLabel)
                        for layer in series {
                            row.element("td", layer.values[place].map(NumberText.full) ?? "not known")
                        }
                        guard !marks.isEmpty else { return }
                        row.element("td", (marks[place] ?? []).map(\.label).joined(separator: ", "))
                    }
                }
            }
        }
        html.line()
        return html.text
    }
}
