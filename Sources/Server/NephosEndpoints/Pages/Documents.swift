import CDocuments
import NephosRunner

/// The pages of docs/ that are compiled into the program, at `/docs/NAME`.
package enum Documents {
    static let prefix = "/docs/"

    struct Document: Sendable {
        let name: String
        /// Its place in the program.
        fileprivate let place: Int

        /// Markdown. Converted at each call, so that nothing but ``RenderedPages`` keeps a page in memory.
        var text: String { String(decoding: bytes, as: UTF8.self) }

        /// From its first line.
        var title: String {
            String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }.drop { "# ".utf8.contains($0) }, as: UTF8.self)
        }

        private var bytes: UnsafeBufferPointer<UInt8> {
            let document = nephos_documents()?[place]
            return UnsafeBufferPointer(start: document?.bytes, count: document?.count ?? 0)
        }
    }

    /// In the order in which they are listed.
    static let all: [Document] = {
        var (next, all) = (nephos_documents(), [Document]())
        while let name = next?.pointee.name {
            all.append(Document(name: String(cString: name), place: all.count))
            next = next?.successor()
        }
        return all
    }()

    private static let byPath = Dictionary(uniqueKeysWithValues: all.map { (prefix + $0.name, $0) })

    static func answers(_ path: Substring) -> Bool {
        path.hasPrefix("/docs") && (byPath[String(path)] != nil || page(meantBy: path) != nil)
    }

    /// The document at a path; nil if there is none.
    static func document(at path: String) -> Document? { byPath[path] }

    /// Redirects from a path where people expect a page; nil if they expect none there.
    ///
    /// - Parameter base: The path below which all pages are.
    static func redirect(from path: String, below base: String) -> RawResponse? {
        page(meantBy: path[...]).map { redirect(to: base + $0) }
    }

    /// The page that people expect at another path: the list at the folder, and a page at the name of its file.
    private static func page(meantBy path: Substring) -> String? {
        // In the repository, the list is the page README of the folder.
        if ["/docs", prefix, "\(prefix)README", "\(prefix)README.md"].contains(String(path)) { return list }
        guard path.hasSuffix(".md") else { return nil }
        let page = String(path.dropLast(3))
        return byPath[page] == nil ? nil : page
    }

    /// The environment variables that the documentation names.
    package static let variables: Set<String> = Set(
        all.flatMap { $0.text.matches(of: #/NEPHOS_[A-Z_]*[A-Z]/#).map { String($0.output) } })

    private static let list = "\(FrontPage.path)#\(FrontPage.documentsID)"

    private static func redirect(to page: String) -> RawResponse {
        var answer = RawResponse(
            status: 303, contentType: "text/plain; charset=UTF-8", body: [], headers: [("Location", page)],
            endpoint: "docs")
        answer.isForAllOrigins = false
        return answer
    }

    /// Renders a page, which takes some milliseconds.
    ///
    /// - Parameter base: The path below which all pages are.
    static func render(_ document: Document, below base: String = "") -> RawResponse {
        let page = Markdown(document.text, documents: Set(all.map(\.name)), below: base)
        let sections = page.sections.map { "<li><a href=\"#\($0.id)\">\($0.html)</a></li>\n" }.joined()
        let contents = page.sections.count > 3 ? "<ul>\n\(sections)</ul>\n" : ""
        let end = page.html.firstRange(of: "</h1>\n")?.upperBound ?? page.html.startIndex
        let body = "<p><a href=\"\(base)/\">Nephos</a></p>\n\(page.html[..<end])\(contents)\(page.html[end...])"
        return HTMLPage(title: "\(page.title) - Nephos", body: body).answer(endpoint: "docs")
    }
}
