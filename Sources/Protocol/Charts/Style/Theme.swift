/// Colors of what is not a series, in the light or in the dark: those of the pages of a server.
package struct Theme: Sendable {
    package let paper: String
    /// Titles, and names of series.
    package let ink: String
    /// Numbers and periods beside the axes.
    package let soft: String
    /// Lines behind the figures.
    package let grid: String
    /// Zero, and marks.
    package let base: String
    /// What figures compare with.
    package let before: String

    package static let light = Theme(
        paper: "#ffffff", ink: "#1c1c1e", soft: "#5a5a63", grid: "#e6e6ea", base: "#8e8e98", before: "#55555e")
    package static let dark = Theme(
        paper: "#151518", ink: "#e6e6e9", soft: "#a9a9b4", grid: "#2c2c32", base: "#76767f", before: "#c4c4cc")
}
