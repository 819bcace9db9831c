import NephosTesting
import Synchronization
import Testing

/// docs/decisions/0028, 0031: a feature on two servers is one feature.
@Suite("A guest book on two servers", .serialized) struct PostgresGuestBookTests {
    @Test("However many people sign on both servers, nobody exceeds the limit, and both report the same")
    func together() throws {
        let book = try GuestBookServer(servers: 2, people: 3)
        #expect(try book.keep("most 5").status == 0)
        let signed = Mutex(0)
        try inThreads(6) { thread in
            let client = book.client(thread / 2, at: thread % 2)
            for number in 0..<12 where try client.sign("\(thread) \(number)", "Hello").isEmpty {
                signed.withLock { $0 += 1 }
            }
        }
        #expect(signed.withLock(\.self) == 15)
        for server in 0..<2 {
            let client = book.client(at: server)
            #expect(try client.counts() == Counts(signed: 15, removed: 0) && client.signatures().count == 15)
        }
        try book.check()
    }

    @Test("A stream of one server announces signatures made at the other")
    func news() throws {
        let book = try GuestBookServer(servers: 2)
        let stream = try GuestBookStream(book, at: 0)
        #expect(try stream.next()["signed"].int64 == 0)
        #expect(try book.client(0, at: 1).sign("a", "Hello") == "")
        #expect(try stream.next()["signed"].int64 == 1)
    }

    @Test("Settings that one command changes apply on both with the next request")
    func settings() throws {
        let book = try GuestBookServer(servers: 2)
        for server in 0..<2 { #expect(try book.client(0, at: server).sign("\(server)", "Hello") == "") }
        #expect(try book.keep("most 2").status == 0)
        for server in 0..<2 {
            #expect(try book.client(0, at: server).sign("x", "Hello") == "a person can sign at most 2 times")
        }
    }

    @Test("A due event is announced once, whichever server runs")
    func moments() throws {
        // So that the second server soon takes over the background work of the first.
        let book = try GuestBookServer(servers: 2, environment: ["NEPHOS_JOB_LEASE_SECONDS": "5"])
        let watcher = try Watcher(book.client(1))
        #expect(try book.client(0).sign("later", "Hello", opens: book.now + 3_000) == "")
        try book.servers[0].kill()
        let other = watcher.at(book.servers[1].port)
        #expect(try other.next() == "later")
        // No notification precedes the next one.
        #expect(try book.client(0, at: 1).sign("now", "Hello") == "")
        #expect(try other.next() == "now")
    }
}
