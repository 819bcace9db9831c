extension Chart {
    /// The supported widths of ``svg(id:width:showsTitle:carriesStyle:)``, in pixels.
    public static let widths = 200...2_400

    /// A picture of the figures, as an SVG document: standalone, in an `<img>`, or inline in HTML.
    ///
    /// It follows the system's light or dark appearance, and is black on white on paper. Its width follows CSS, `100 %` by default;
    /// no text is smaller than 11 pixels as long as it is not shown narrower than 92 % of `width`.
    ///
    /// - Unknown values are gaps with a gray background; a zero is a line on the baseline.
    /// - If a period would be narrower than 3 pixels, bars become one area with a step for each period; if it would be narrower
    ///   than one, a pixel shows the highest of those that share it.
    /// - Up to three values of at least twenty times the next ones are cut, with the value written at the end.
    ///
    /// - Parameters:
    ///   - id: Distinguishes the pictures of a page; any text.
    ///   - width: In pixels, clamped to ``widths``. It determines the height.
    ///   - showsTitle: Whether ``title`` is visible; screen readers always have it.
    ///   - carriesStyle: Whether ``style`` is included. A standalone picture needs it.
    public func svg(id: String, width: Int = 768, showsTitle: Bool = true, carriesStyle: Bool = true) -> String {
        let width = Double(min(max(width, Self.widths.lowerBound), Self.widths.upperBound))
        let picture = Picture(self, id: "chart-" + id.identifier, width: width, showsTitle: showsTitle)
        return picture.svg(carriesStyle: carriesStyle)
    }
}
