import Testing

@testable import NephosEndpoints

@Suite("Markdown of the pages of docs/") struct MarkdownTests {
    private func html(_ text: String) -> String { Markdown(text, documents: ["files"]).html }

    @Test(
        "Each Markdown form that the pages use has its HTML",
        arguments: [
            ("# A b\n\n## `C` d, e", "<h1 id=\"a-b\">A b</h1>\n<h2 id=\"c-d-e\"><code>C</code> d, e</h2>\n"),
            ("a\nb\n\nc", "<p>a\nb</p>\n<p>c</p>\n"),
            ("**a `b`\nc** d", "<p><b>a <code>b</code>\nc</b> d</p>\n"),
            ("- a\n  b\n- c", "<ul>\n<li>a\nb</li>\n<li>c</li>\n</ul>\n"),
            ("1. a\n10. b", "<ol>\n<li>a</li>\n<li>b</li>\n</ol>\n"),
            (
                "- a\n\n      b\n       c\n\n  d",
                "<ul>\n<li>a\n<pre><code>b\n c\n</code></pre>\n<p>d</p>\n</li>\n</ul>\n"
            ),
            ("```swift\n# a\n\n- b\n```\nc", "<pre><code># a\n\n- b\n</code></pre>\n<p>c</p>\n"),
            ("    a\n     b", "<pre><code>a\n b\n</code></pre>\n"),
            (
                "| a | b |\n|---|---|\n| `c` | |",
                "<div class=\"wide\"><table>\n<tr><th>a</th><th>b</th></tr>\n"
                    + "<tr><td><code>c</code></td><td></td></tr>\n</table></div>\n"
            ),
            (
                "docs/files.md, docs/other.md, [x](https://example.org)",
                "<p><a href=\"/docs/files\">docs/files.md</a>, docs/other.md, "
                    + "<a href=\"https://example.org\" rel=\"noreferrer\">x</a></p>\n"
            ),
        ])
    func forms(_ text: String, _ expected: String) { #expect(html(text) == expected) }

    @Test("HTML special characters are escaped everywhere")
    func escaping() {
        let text = "<script>&\""
        let escaped = "&lt;script&gt;&amp;&quot;"
        for page in ["\(text)", "# \(text)", "`\(text)`", "    \(text)", "| \(text) |", "- \(text)", "**\(text)**"] {
            let html = html(page)
            #expect(html.contains(escaped) && !html.contains("<script"), "\(html)")
        }
        #expect(!html("[x](javascript:alert)").contains("<a"))
        #expect(!html("[x](https://e\" onclick=x)").contains("<a"))
    }
}
