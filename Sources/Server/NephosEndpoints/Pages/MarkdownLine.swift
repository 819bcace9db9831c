import NephosRunner

/// Converts the text of a paragraph, a cell or a heading to HTML.
struct MarkdownLine {
    /// The names of pages that can be linked to.
    let documents: Set<String>
    /// The path below which they are.
    let base: String

    func html(_ text: String) -> String {
        var (html, isBold) = ("", false)
        // Every second piece is between backticks.
        for (place, piece) in text.split(separator: "`", omittingEmptySubsequences: false).enumerated() {
            guard place.isMultiple(of: 2) else {
                html += "<code>\(piece.escaped)</code>"
                continue
            }
            for (place, part) in links(in: piece.escaped).split(separator: "**", omittingEmptySubsequences: false)
                .enumerated()
            {
                if place > 0 {
                    isBold.toggle()
                    html += isBold ? "<b>" : "</b>"
                }
                html += part
            }
        }
        return isBold ? "\(html)</b>" : html
    }

    /// Links to other sites, and to pages of the documentation.
    private func links(in text: String) -> String {
        text.replacing(#/\[([^\]]+)\]\((https:[^)\s]+)\)/#) { "<a href=\"\($0.2)\" rel=\"noreferrer\">\($0.1)</a>" }
            .replacing(#/docs/([a-z-]+)\.md/#) { match in
                let name = String(match.1)
                guard documents.contains(name) else { return String(match.0) }
                return "<a href=\"\(base)\(Documents.prefix)\(name)\">\(match.0)</a>"
            }
    }
}
