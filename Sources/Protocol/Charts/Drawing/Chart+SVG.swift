extension Chart {
    /// Widths that ``svg(id:width:showsTitle:carriesStyle:)`` knows, in pixels.
    public static let widths = 200...2_400

    /// A picture of the figures, as an SVG document that can stand alone, in an `<img>`, or inline in HTML.
    ///
    /// It is light or dark as the reader's system is, and black on white on paper. Its width follows CSS, `100 %` where nothing else is said;
    /// no text is smaller than 11 pixels as long as it is not shown narrower than 92 % of `width`.
    ///
    /// - What is not known is a gap with a gray ground; a zero is a line on the baseline.
    /// - Where a period would be narrower than 3 pixels bars become one area with a step for each period; where it would be narrower than
    ///   one, a pixel shows the highest of those that share it.
    /// - Up to three values of at least twenty times the next ones are cut, and written at their ends.
    ///
    /// - Parameters:
    ///   - id: Tells pictures of one page apart, any text.
    ///   - width: In pixels, the nearest of ``widths``. What is high follows from it.
    ///   - showsTitle: Whether ``title`` is to be seen; it is always there for who does not see.
    ///   - carriesStyle: Whether ``style`` is inside. One that stands alone needs it.
    public func svg(id: String, width: Int = 768, showsTitle: Bool = true, carriesStyle: Bool = true) -> String {
        let width = Double(min(max(width, Self.widths.lowerBound), Self.widths.upperBound))
        let picture = Picture(self, id: "chart-" + id.identifier, width: width, showsTitle: showsTitle)
        return picture.svg(carriesStyle: carriesStyle)
    }
}
