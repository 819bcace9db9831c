import NephosRunner

/// Converts the Markdown used in docs/ to HTML: headings, paragraphs, lists, tables, blocks of code; code, bold text and links in
/// a line. Anything else is shown as text.
struct Markdown {
    /// The table of contents: the second-level headings, in order.
    private(set) var sections: [(id: String, html: String)] = []
    /// The text of the first heading.
    private(set) var title = ""
    private(set) var html = ""
    private let line: MarkdownLine

    /// - Parameters:
    ///   - documents: The names of pages that can be linked to.
    ///   - base: The path below which they are.
    init(_ text: String, documents: Set<String>, below base: String = "") {
        line = MarkdownLine(documents: documents, base: base)
        html = blocks(text.split(separator: "\n", omittingEmptySubsequences: false)[...])
    }

    // MARK: Blocks

    private mutating func blocks(_ lines: ArraySlice<Substring>) -> String {
        var (rest, html) = (lines, "")
        while let first = rest.first {
            switch Block(first) {
            case nil: rest.removeFirst()
            case .fence: html += fence(&rest)
            case .heading(let level): html += heading(level, rest.removeFirst())
            case .table: html += table(rest.removePrefix { Block($0) == .table })
            case .indented: html += code(rest.removePrefix { Block($0) == .indented }.map { $0.dropFirst(4) })
            case .item(let marker): html += list(&rest, marker)
            case .text: html += "<p>\(paragraph(&rest))</p>\n"
            }
        }
        return html
    }

    private func paragraph(_ rest: inout ArraySlice<Substring>) -> String {
        line.html(rest.removePrefix { Block($0) == .text }.joined(separator: "\n"))
    }

    private mutating func heading(_ level: Int, _ text: Substring) -> String {
        let text = text.drop { $0 == "#" }.drop { $0 == " " }
        let (id, html) = (Self.id(text), line.html(String(text)))
        if level == 1 { title = String(text) }
        if level == 2 { sections.append((id, html)) }
        return "<h\(level) id=\"\(id)\">\(html)</h\(level)>\n"
    }

    /// The fragment of a heading's URL: letters and digits, and a dash for each space.
    private static func id(_ heading: Substring) -> String {
        String(heading.lowercased().filter { $0.isLetter || $0.isNumber || $0 == " " || $0 == "-" })
            .replacing(" ", with: "-")
    }

    private func fence(_ rest: inout ArraySlice<Substring>) -> String {
        rest.removeFirst()
        let lines = rest.removePrefix { Block($0) != .fence }
        rest = rest.dropFirst()
        return code(Array(lines))
    }

    private func code(_ lines: [Substring]) -> String {
        "<pre><code>\(lines.joined(separator: "\n").escaped)\n</code></pre>\n"
    }

    /// The items, with what is indented below them.
    private mutating func list(_ rest: inout ArraySlice<Substring>, _ marker: Block.Marker) -> String {
        var html = "<\(marker.rawValue)>\n"
        while let first = rest.first, case .item(marker)? = Block(first) {
            let width = marker.width(in: first)
            rest.removeFirst()
            let more = rest.removePrefix { $0.allSatisfy { $0 == " " } || $0.prefix(width).allSatisfy { $0 == " " } }
            html += "<li>\(item([first.dropFirst(width)] + more.map { $0.dropFirst(width) }))</li>\n"
        }
        return html + "</\(marker.rawValue)>\n"
    }

    /// An item that is a single paragraph is not wrapped in a paragraph element.
    private mutating func item(_ lines: [Substring]) -> String {
        var rest = lines[...]
        let text = paragraph(&rest)
        return rest.allSatisfy(\.isEmpty) ? text : "\(text)\n\(blocks(rest))"
    }

    /// The first row contains the column names, the second is a separator.
    private func table(_ lines: ArraySlice<Substring>) -> String {
        func row(_ text: Substring, _ tag: String) -> String {
            let cells = text.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast()
            return "<tr>\(cells.map { "<\(tag)>\(line.html(String($0.trimmed)))</\(tag)>" }.joined())</tr>\n"
        }
        let head = lines.first.map { row($0, "th") } ?? ""
        return
            "<div class=\"wide\"><table>\n\(head)\(lines.dropFirst(2).map { row($0, "td") }.joined())</table></div>\n"
    }
}

/// The kind of block that a line begins or continues; nil for an empty line.
private enum Block: Equatable {
    enum Marker: String {
        case bullet = "ul"
        case number = "ol"

        /// The column at which the text of an item begins.
        func width(in line: Substring) -> Int { self == .bullet ? 2 : line.prefix(while: \.isNumber).count + 2 }
    }

    case text, fence, table, indented
    case heading(Int)
    case item(Marker)

    init?(_ line: Substring) {
        guard let first = line.first(where: { $0 != " " }) else { return nil }
        if line.hasPrefix("```") {
            self = .fence
        } else if line.hasPrefix("    ") {
            self = .indented
        } else if line.hasPrefix("- ") {
            self = .item(.bullet)
        } else if first.isNumber, line.drop(while: \.isNumber).hasPrefix(". ") {
            self = .item(.number)
        } else {
            let level = line.prefix { $0 == "#" }.count
            self = line.hasPrefix("|") ? .table : (1...6).contains(level) ? .heading(level) : .text
        }
    }
}

extension ArraySlice {
    fileprivate mutating func removePrefix(while belongs: (Element) -> Bool) -> ArraySlice {
        let prefix = prefix(while: belongs)
        self = dropFirst(prefix.count)
        return prefix
    }
}
