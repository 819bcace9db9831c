import NephosTesting
import Testing

/// docs/decisions/0028: a feature is a folder; what its extension points provide applies to every entry point.
@Suite("A guest book") struct GuestBookTests {
    @Test("Signatures are counted as they are added and removed, exactly and immediately")
    func counts() throws {
        let book = try GuestBookServer()
        let (ada, app) = (book.client(0), book.client())
        #expect(try app.counts() == Counts(signed: 0, removed: 0))
        #expect(try ada.sign("a", "Hello") == "" && ada.sign("b", "Again") == "" && ada.remove("a") == "")
        #expect(try app.counts() == Counts(signed: 2, removed: 1))
        // Also once the annex was folded into rows.
        #expect(Deadline().waits { (try? book.folded()) == 3 })
        #expect(try app.counts() == Counts(signed: 2, removed: 1))
        #expect(try ada.sign("b", "Changed", kind: "forceUpdate") == "")
        #expect(try app.counts() == Counts(signed: 2, removed: 1))
        let shown = try book.first.command("guestbook", "show", GuestBookServer.container)
        #expect(shown.split(separator: "\n").count == 2 && shown.hasSuffix(" 2       1"))
        try book.check()
    }

    @Test("A request with the current tag gets no body, and a full response after a change")
    func tags() throws {
        let book = try GuestBookServer()
        let app = book.client()
        let first = try app.send("GET", GuestBookServer.path + "summary", body: nil)
        let tag = try #require(first["ETag"])
        app.headers.append(HTTPHeader("If-None-Match", tag))
        #expect(try app.send("GET", GuestBookServer.path + "summary", body: nil).status == 304)
        #expect(try book.client(0).sign("a", "Hello") == "")
        let second = try app.send("GET", GuestBookServer.path + "summary", body: nil)
        #expect(try second.status == 200 && Counts(second) == Counts(signed: 1, removed: 0))
        #expect(second["ETag"] != tag)
    }

    @Test("A page shows people the same, and runs no script")
    func page() throws {
        let book = try GuestBookServer()
        #expect(try book.client(0).sign("a", "Hello") == "")
        let page = try book.client().send("GET", GuestBookServer.path + "page", body: nil)
        #expect(page.status == 200 && page["Content-Type"] == "text/html; charset=UTF-8")
        #expect(String(decoding: page.body, as: UTF8.self).contains("<p>1 signatures.</p>"))
        #expect(page["Content-Security-Policy"]?.contains("default-src 'none'") == true)
        let stranger = CloudKitClient(
            port: book.first.port, container: GuestBookServer.container, credentials: .app(apiToken: "nobody's"))
        #expect(try stranger.send("GET", GuestBookServer.path + "page", body: nil).status == 401)
    }

    @Test("The operator defines who can sign what; invalid settings change nothing")
    func settings() throws {
        let book = try GuestBookServer()
        let ada = book.client(0)
        #expect(try book.keep("most 2\nforbid spam").status == 0)
        #expect(try ada.sign("a", "no spam here") == "a signature must not contain spam")
        #expect(try ada.sign("a", "Hello") == "" && ada.sign("b", "Hello") == "")
        #expect(try ada.sign("c", "Hello") == "a person can sign at most 2 times")
        #expect(try ada.remove("a") == "" && ada.sign("c", "Hello") == "")
        #expect(try book.client(1).sign("d", "Hello") == "")
        let wrong = try book.keep("most some")
        #expect(wrong.status == 1 && wrong.errors.contains("line 1: write most NUMBER, or forbid WORD"))
        #expect(try ada.sign("e", "Hello") == "a person can sign at most 2 times")
        #expect(try book.client().counts() == Counts(signed: 4, removed: 1))
        _ = try book.first.command("schema", "deploy", GuestBookServer.container)
        try book.check()
    }

    @Test("A signature is visible from its hour on, and watchers are then notified")
    func hours() throws {
        let book = try GuestBookServer()
        let (ada, grace) = (book.client(0), book.client(1))
        #expect(try ada.sign("first", "Hello", opens: book.now - 1_000) == "")
        let watcher = try Watcher(grace)
        let opens = book.now + 4_000
        #expect(try ada.sign("later", "Hello", opens: opens) == "")
        // A busy machine may take longer than that.
        #expect(try grace.signatures() == ["first"] || book.now >= opens)
        #expect(try ada.signatures().count == 2)
        // Nothing is saved at this point.
        #expect(try watcher.next() == "later")
        #expect(try Set(grace.signatures()) == ["first", "later"])
        try book.check()
    }

    @Test("A stream announces each new signature")
    func stream() throws {
        let book = try GuestBookServer()
        let stream = try GuestBookStream(book)
        #expect(try stream.next()["signed"].int64 == 0)
        #expect(try book.client(0).sign("a", "Hello") == "")
        #expect(try stream.next()["signed"].int64 == 1)
    }
}
