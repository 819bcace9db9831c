import NephosRunner
import NephosStorage
import NephosTesting
import RequestTesting
import Testing

/// docs/trends.md, "The page". Its behavior in a browser: Tests/Browser/trends_page_test.py.
@Suite("The page of trends") struct PageTests {
    @Test("The page runs only its own script, loads nothing from elsewhere, and contains no figures")
    func policy() async throws {
        let own = try await TrendCloud()
        #expect(try own.modify([TrendCloud.save("Post", "a")]) == [""])
        let page = try own.ask("\(TrendCloud.path)/", [])
        #expect(page.status == 200 && page.contentType == "text/html; charset=UTF-8" && !page.isForAllOrigins)
        let policy = try #require(page.header("Content-Security-Policy"))
        #expect(policy.contains("default-src 'none'; style-src 'sha256-") && policy.contains("; script-src 'sha256-"))
        #expect(policy.contains("connect-src 'self'") && policy.contains("frame-ancestors 'none'"))
        #expect(!policy.contains("unsafe"))
        #expect(page.header("Referrer-Policy") == "no-referrer")
        #expect(!page.text.contains("\"Post\"") && !page.text.contains(SmallCloud.container))
        // No URL of another host, except the name of an XML namespace.
        #expect(page.text.matches(of: /https?:[^"]*/).allSatisfy { $0.0 == "http://www.w3.org/2000/svg" })
        #expect(page.text.contains("</script>\n</html>"))
        let refused = try own.ask("\(TrendCloud.path)/", [], method: "POST")
        #expect(refused.status == 405 && refused.header("Allow") == "GET, HEAD, OPTIONS")
    }

    @Test(
        "A page reads which groups it can show besides types, and requests them with the same parameters (docs/trends.md)"
    )
    func groups() async throws {
        let own = try await TrendCloud()
        #expect(try own.ask("groups") == (200, #"{"groups":[{}]}"#))
        try await own.set(
            #"""
            {"private":["Note"],"lists":[{"type":"Post","field":"names","of":"all"},{"type":"Post","field":"names"},
             {"type":"Post","field":"gone"}]}
            """#)
        #expect(try own.ask("groups").text == #"{"groups":[{},{"list":"names"},{"private":"1"}]}"#)
        for words in ["", "list=names", "private=1"] {
            #expect(try own.series("\(words)&form=sparklines&last=30").status == 200)
        }
        for caller in SmallCloud.Caller.allCases where caller != .key {
            #expect(try own.ask("groups", as: caller).status >= 400)
        }
    }
}
