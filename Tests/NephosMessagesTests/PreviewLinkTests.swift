import CloudKitWire
import NephosConstraints
import NephosDomain
import NephosRunner
import NephosSettings
import NephosStorage
import NephosTesting
import RequestTesting
import TestEngines
import Testing

@testable import NephosMessages

/// docs/messages.md, "On a phone".
@Suite("Links to previews") struct PreviewLinkTests {
    private static let path = "/nephos/1/\(SmallCloud.container)/development/messages/preview"

    private static func cloud() async throws -> (own: MessageCloud, link: String) {
        let own = try await MessageCloud()
        #expect(try own.save("a", MessageCloud.complete(.newVersion)) == "")
        return (own, try await link(own))
    }

    private static func link(_ own: MessageCloud, to message: Name = "a") async throws -> String {
        let token = try await own.administration.createPreviewLink(to: message, in: SmallCloud.tenant)
        return Messages.previewPath(SmallCloud.tenant, token: token)
    }

    private static func ask(_ own: MessageCloud, _ method: String, _ target: String) throws -> RawResponse {
        try own.cloud.ask(method, target, "", as: .stranger)
    }

    @Test("A link opens once: viewing it does not use it up, the button does; then it is reported as used")
    func once() async throws {
        let (own, link) = try await Self.cloud()
        for method in ["GET", "HEAD", "GET"] {
            let door = try Self.ask(own, method, link)
            #expect(door.status == 200 && door.text.contains("<form method=\"post\">"))
            #expect(!door.text.contains("body (es)"))
        }
        let page = try Self.ask(own, "POST", link)
        #expect(page.status == 200 && page.text.contains("body (es)") && page.text.contains("already updated"))
        #expect(page.text.components("<details name=\"screen\"") == 4 && !page.text.contains("<script"))
        for method in ["POST", "GET"] {
            let again = try Self.ask(own, method, link)
            #expect(
                again.status == 410 && again.text.contains("This link was already used")
                    && !again.text.contains("body (es)"))
        }
        // That does not count as having seen the message.
        #expect(try own.store.rows(SeenRow.page(of: "a", after: [], limit: 10)) == [])
        #expect(try own.cloud.check() == [])
    }

    @Test("Its pages are not cached or indexed, send no referrer, and run no script")
    func headers() async throws {
        let (own, link) = try await Self.cloud()
        let answers = try [
            Self.ask(own, "GET", link), Self.ask(own, "POST", link), Self.ask(own, "POST", link),
            Self.ask(own, "GET", Self.path + "?t=0"),
        ]
        #expect(answers.map(\.status) == [200, 200, 410, 404])
        for answer in answers {
            func header(_ name: String) -> String? { answer.headers.first { $0.name == name }?.value }
            #expect(header("Cache-Control") == "no-store" && header("Referrer-Policy") == "no-referrer")
            #expect(header("X-Robots-Tag") == "noindex, nofollow" && answer.contentType.hasPrefix("text/html"))
            let policy = try #require(header("Content-Security-Policy"))
            #expect(policy.hasPrefix("default-src 'none'; style-src 'sha256-") && !policy.contains("script-src"))
            #expect(policy.hasSuffix("frame-ancestors 'none'") && !answer.isForAllOrigins)
            let token = try #require(link.split(separator: "=").last)
            #expect(!answer.text.contains(token))
        }
    }

    @Test("A link expires after 15 minutes and is removed after a day; only a hash of its token is stored")
    func time() async throws {
        let (own, link) = try await Self.cloud()
        let token = try #require(link.split(separator: "=").last)
        #expect(token.count == 64)
        let row = try #require(try own.store.rows(PreviewLinkRow.all).first)
        #expect(row.hash == APIToken.hash(String(token)) && row.message == "a")
        own.now += PreviewLinkRow.lifetime - 1
        #expect(try Self.ask(own, "GET", link).status == 200)
        own.now += 1
        for method in ["GET", "POST"] {
            let late = try Self.ask(own, method, link)
            #expect(
                late.status == 410 && late.text.contains("This link has expired") && !late.text.contains("body (es)"))
        }
        await own.cloud.runDueJobs()
        #expect(try own.store.rows(PreviewLinkRow.all).count == 1)
        own.now = row.forgottenAt
        await own.cloud.runDueJobs()
        #expect(try own.store.rows(PreviewLinkRow.all) == [])
        #expect(try Self.ask(own, "GET", link).status == 404)
        #expect(try own.cloud.check() == [])
    }

    @Test("An unknown token gets the same response as an unknown container")
    func strangers() async throws {
        let (own, link) = try await Self.cloud()
        let other = link.replacing(SmallCloud.container, with: "iCloud.org.nephos.none")
        let answers = try [Self.path, Self.path + "?t=", Self.path + "?t=%ff", Self.path + "?t=ab", other].flatMap {
            [try Self.ask(own, "GET", $0), try Self.ask(own, "POST", $0)]
        }
        #expect(answers.allSatisfy { $0.status == 404 && $0.text == answers[0].text })
        #expect(try Self.ask(own, "PUT", link).status == 405)
        // It is not valid in the other environment.
        #expect(try Self.ask(own, "POST", link.replacing("development", with: "production")).status == 404)
        #expect(try Self.ask(own, "POST", link).status == 200)
    }

    @Test("A missing message uses up no link, and the link works once the message exists again")
    func gone() async throws {
        let own = try await MessageCloud()
        let link = try await Self.link(own)
        let answer = try Self.ask(own, "POST", link)
        #expect(answer.status == 404 && answer.text.contains("This message no longer exists"))
        #expect(try own.save("a", MessageCloud.complete()) == "")
        #expect(try Self.ask(own, "POST", link).status == 200)
    }

    @Test("Of two servers that receive it at the same moment exactly one opens it")
    func race() async throws {
        let own = try await MessageCloud()
        #expect(try own.save("a", MessageCloud.complete()) == "")
        let other = try own.stored.open(tables: [Feature.settings, .constraints, .messages].tables)
        defer { other.close() }
        let stores = try [own.cloud.engine, other].map { try #require(try $0.open(SmallCloud.tenant)) }
        for _ in 0..<20 {
            let token = try await own.administration.createPreviewLink(to: "a", in: SmallCloud.tenant)
            let open = OpenPreviewLink(token: token, now: own.now)
            let won = try await withThrowingTaskGroup(of: Bool.self) { group in
                for store in stores + stores {
                    group.addTask { try await store.commit(open.reading, decide: open.decide) }
                }
                return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(won == 1)
        }
    }

    @Test("At most 100 links can be open, and expired ones make room")
    func limit() async throws {
        let own = try await MessageCloud()
        for _ in 0..<PreviewLinkRow.countMax { _ = try await Self.link(own) }
        await #expect {
            _ = try await Self.link(own)
        } throws: { error in
            "\(error)".contains("already has 100 unopened links to previews")
        }
        own.now += PreviewLinkRow.lifetime
        for _ in 0..<2 { _ = try await Self.link(own) }
        let rows = try own.store.rows(PreviewLinkRow.all)
        #expect(rows.count == PreviewLinkRow.countMax && rows.count { $0.isOpen(at: own.now) } == 2)
        #expect(try own.cloud.check() == [])
    }
}

extension String {
    /// The number of occurrences of another text.
    fileprivate func components(_ other: String) -> Int { ranges(of: other).count }
}
