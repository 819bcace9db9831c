import CDocuments
import NephosRunner

/// The pages of docs/ that are compiled into the program, at `/docs/NAME`.
enum Documents {
    static let prefix = "/docs/"

    struct Document: Sendable {
        let name: String
        /// Markdown.
        let text: String

        /// From its first line.
        var title: String { String(text.prefix { !$0.isNewline }.drop { $0 == "#" || $0 == " " }) }
    }

    /// In the order in which they are listed.
    static let all: [Document] = {
        var (next, all) = (nephos_documents(), [Document]())
        while let document = next?.pointee, let name = document.name {
            let bytes = UnsafeBufferPointer(start: document.bytes, count: document.count)
            all.append(Document(name: String(cString: name), text: String(decoding: bytes, as: UTF8.self)))
            next = next?.successor()
        }
        return all
    }()

    private static let names = Set(all.map { prefix + $0.name })
    /// The response for each page. All are created on first use.
    private static let answers = Dictionary(uniqueKeysWithValues: all.map { (prefix + $0.name, answer($0)) })

    static func answers(_ path: Substring) -> Bool {
        path.hasPrefix("/docs") && (names.contains(String(path)) || page(meantBy: path) != nil)
    }

    /// To be called on a thread that may block.
    static func answer(at path: String) -> RawResponse? {
        answers[path] ?? page(meantBy: path[...]).map(redirect)
    }

    /// The page that people expect at another path: the list at the folder, and a page at the name of its file.
    private static func page(meantBy path: Substring) -> String? {
        if path == "/docs" || path == prefix { return "\(FrontPage.path)#\(FrontPage.documentsID)" }
        guard path.hasSuffix(".md") else { return nil }
        let page = String(path.dropLast(3))
        return names.contains(page) ? page : nil
    }

    private static func redirect(to page: String) -> RawResponse {
        var answer = RawResponse(
            status: 303, contentType: "text/plain; charset=UTF-8", body: [], headers: [("Location", page)],
            endpoint: "docs")
        answer.isForAllOrigins = false
        return answer
    }

    private static func answer(_ document: Document) -> RawResponse {
        let page = Markdown(document.text, documents: Set(all.map(\.name)))
        let sections = page.sections.map { "<li><a href=\"#\($0.id)\">\($0.html)</a></li>\n" }.joined()
        let contents = page.sections.count > 3 ? "<ul>\n\(sections)</ul>\n" : ""
        let end = page.html.firstRange(of: "</h1>\n")?.upperBound ?? page.html.startIndex
        let body = "<p><a href=\"/\">Nephos</a></p>\n\(page.html[..<end])\(contents)\(page.html[end...])"
        return HTMLPage(title: "\(page.title) - Nephos", body: body).answer(endpoint: "docs")
    }
}
