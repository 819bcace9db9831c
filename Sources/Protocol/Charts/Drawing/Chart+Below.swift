extension Chart {
    /// Several charts below one another, as one standalone document. Each has its own axes.
    ///
    /// - Parameters:
    ///   - id: Distinguishes the pictures of a page; any text.
    ///   - title: A description of all of them for screen readers.
    ///   - width: In pixels, clamped to ``widths``.
    public static func svg(below charts: [Chart], id: String, title: String, width: Int = 768) -> String {
        let width = Double(min(max(width, widths.lowerBound), widths.upperBound))
        let id = "chart-" + id.identifier
        let pictures = charts.enumerated().map {
            Picture($1, id: "\(id)-\($0)", width: width, showsTitle: true)
        }
        let height = max(1, pictures.reduce(0) { $0 + $1.frame.height + gap } - gap)
        var svg = Markup()
        let root: Markup.Attributes = [
            "xmlns": "http://www.w3.org/2000/svg", "class": "nephos-chart", "width": width.px, "height": height.px,
            "viewBox": "0 0 \(width.px) \(height.px)", "aria-labelledby": "\(id)-title \(id)-desc",
            "font-family": Font.family, "font-size": Font.size.px,
        ]
        svg.element("svg", root) { svg in
            svg.element("title", ["id": "\(id)-title"], title)
            svg.element("desc", ["id": "\(id)-desc"], charts.count == 1 ? "One chart." : "\(charts.count) charts.")
            svg.style(style)
            svg.element(
                "rect", ["class": "paper", "width": width.px, "height": height.px, "fill": "#fff"])
            var top = 0.0
            for picture in pictures {
                let attributes: Markup.Attributes = [
                    "transform": "translate(0 \(top.px))", "role": "img",
                    "aria-labelledby": "\(picture.id)-title \(picture.id)-desc",
                ]
                svg.element("g", attributes) { picture.draw(to: &$0) }
                top += picture.frame.height + gap
            }
        }
        svg.line()
        return svg.text
    }

    private static let gap = 16.0
}
