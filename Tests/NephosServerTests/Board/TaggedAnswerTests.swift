import NephosRunner
import NephosTesting
import RequestTesting
import Testing

/// docs/decisions/0026: kinds of responses, at endpoints of a feature.
@Suite("Responses of features", .onOwnThreads) struct TaggedAnswerTests {
    @Test("A client with the current response gets 304 without a body, until it changes")
    func tags() async throws {
        let own = try await BoardCloud()
        let first = try own.begin().head()
        let tag = try #require(first["ETag"])
        #expect(first.status == 200 && tag.hasPrefix("W/\""))
        #expect(first["Cache-Control"] == "private, no-cache")
        #expect(first["Access-Control-Allow-Origin"] == "*")
        #expect(first["Access-Control-Expose-Headers"]?.contains("ETag") == true)
        for (method, shown) in [("GET", tag), ("HEAD", tag), ("POST", "\"x\", \(tag)"), ("GET", "*")] {
            let same = try own.begin(method, headers: [("If-None-Match", shown)]).head()
            #expect(same.status == 304 && same.body.isEmpty && same["ETag"] == tag && same["Content-Length"] == nil)
        }
        try own.save("another")
        let second = try own.begin(headers: [("If-None-Match", tag)]).head()
        #expect(second.status == 200 && second["ETag"] != tag)
        #expect(try second.json["number"].int64 != first.json["number"].int64)
    }

    @Test("No shared cache stores a person's response, which can contain their next token")
    func shared() async throws {
        let own = try await BoardCloud()
        #expect(try own.begin("GET", "board/shared").head()["Cache-Control"] == "public, max-age=60")
        let personal = try own.begin("GET", "board/shared", as: .person).head()
        #expect(personal["Cache-Control"] == "private, no-cache")
    }

    @Test("HEAD gets the same as GET without the body; unsupported methods are rejected")
    func methods() async throws {
        let own = try await BoardCloud()
        let (get, head) = (try own.begin().head(), try own.begin("HEAD").head())
        #expect(head.status == 200 && head.body.isEmpty)
        for name in ["ETag", "Content-Length", "Content-Type", "Cache-Control"] { #expect(head[name] == get[name]) }
        let refused = try own.begin("PUT").head()
        #expect(refused.status == 405 && refused["Allow"] == "GET, HEAD, POST, OPTIONS")
        #expect(try own.begin(as: .stranger).head().status == 401)
    }

    @Test("A page runs no script, loads nothing from elsewhere, and is not readable by other origins")
    func page() async throws {
        let own = try await BoardCloud()
        let page = try own.begin("GET", "board/page").head()
        #expect(page.status == 200 && page["Content-Type"] == "text/html; charset=UTF-8")
        #expect(page["Content-Security-Policy"]?.hasPrefix("default-src 'none'; style-src 'sha256-") == true)
        #expect(page["X-Content-Type-Options"] == "nosniff")
        #expect(page["Access-Control-Allow-Origin"] == nil)
        let text = String(decoding: page.body, as: UTF8.self)
        #expect(text.contains("<title>A &amp; B</title>") && text.contains("<p>&lt;b&gt;</p>"))
    }
}
