/// Colors of everything except series, in light or dark appearance: those of the pages of a server.
package struct Theme: Sendable {
    package let paper: String
    /// Titles, and names of series.
    package let ink: String
    /// Numbers and periods on the axes.
    package let soft: String
    /// Grid lines.
    package let grid: String
    /// The zero line, and marks.
    package let base: String
    /// The figures for comparison.
    package let before: String

    package static let light = Theme(
        paper: "#ffffff", ink: "#1c1c1e", soft: "#5a5a63", grid: "#e6e6ea", base: "#8e8e98", before: "#55555e")
    package static let dark = Theme(
        paper: "#151518", ink: "#e6e6e9", soft: "#a9a9b4", grid: "#2c2c32", base: "#76767f", before: "#c4c4cc")
}
