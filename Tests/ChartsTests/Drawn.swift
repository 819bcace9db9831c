import Charts
import Foundation
import Testing

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// A picture or a table as parsed by an XML parser.
final class Element {
    let name: String
    let attributes: [String: String]
    private(set) var children: [Element] = []
    /// Its own text, without that of its children.
    private(set) var text = ""

    private init(_ name: String, _ attributes: [String: String]) { (self.name, self.attributes) = (name, attributes) }

    /// - Throws: An error if it is not a well-formed document.
    static func read(_ xml: String) throws -> Element {
        let reader = Reader()
        let parser = XMLParser(data: Data(xml.utf8))
        parser.delegate = reader
        guard parser.parse(), let root = reader.root else {
            throw NotWellFormed(said: "\(parser.parserError as Any): \(xml)")
        }
        return root
    }

    struct NotWellFormed: Error {
        let said: String
    }

    /// The element and all its descendants.
    var all: [Element] { [self] + children.flatMap(\.all) }

    func all(_ name: String, class word: String? = nil) -> [Element] {
        all.filter { element in
            let words = element.attributes["class"]?.split(separator: " ").map(String.init) ?? []
            return element.name == name && (word.map(words.contains) ?? true)
        }
    }

    var title: String? { children.first { $0.name == "title" }?.text }

    func number(_ name: String) -> Double { attributes[name].flatMap(Double.init) ?? .nan }

    /// The numbers of a path's first commands.
    var pathNumbers: [Double] {
        (attributes["d"] ?? "").split { !($0.isNumber || $0 == "." || $0 == "-") }.compactMap { Double($0) }
    }

    /// The position of a text, with its estimated width. Letters extend 80 % of their size up and a quarter of it down.
    var box: Box {
        let size = attributes["font-size"].flatMap(Double.init) ?? 12
        let width = TextWidth.of(text, size: size)
        let before: Double = ["middle": 0.5, "end": 1][attributes["text-anchor"] ?? ""] ?? 0
        let (x, y) = (number("x") - width * before, number("y"))
        return Box(left: x, right: x + width, top: y - 0.8 * size, bottom: y + 0.25 * size)
    }

    private final class Reader: NSObject, XMLParserDelegate {
        var root: Element?
        private var open: [Element] = []

        func parser(
            _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
            attributes: [String: String]
        ) {
            let element = Element(name, attributes)
            open.last?.children.append(element)
            root = root ?? element
            open.append(element)
        }

        func parser(_ parser: XMLParser, didEndElement: String, namespaceURI: String?, qualifiedName: String?) {
            open.removeLast()
        }

        func parser(_ parser: XMLParser, foundCharacters text: String) { open.last?.text += text }
    }
}

struct Box: CustomStringConvertible {
    let left: Double
    let right: Double
    let top: Double
    let bottom: Double

    func overlaps(_ other: Box) -> Bool {
        min(right, other.right) > max(left, other.left) && min(bottom, other.bottom) > max(top, other.top)
    }

    var description: String { "x \(left) to \(right), y \(top) to \(bottom)" }
}

extension Chart {
    /// A chart of twelve or so months, with only what a test specifies.
    static func of(
        _ content: Content, periods: Int, partial: Int? = nil, before: Series? = nil, marks: [Mark] = []
    ) -> Chart {
        Chart(
            title: "New posts", periods: (0..<periods).map { Period("P\($0)", isPartial: $0 == partial) },
            content: content, before: before, marks: marks)
    }

    func drawn(width: Int = 768) throws -> Element { try Element.read(svg(id: "x", width: width)) }
}
