import FeatureSwitches
import Foundation
import NephosTesting
import NephosTransport
import Testing

/// docs/switches.md, "OFREP"; docs/flags.md, "Over HTTP".
@Suite("The OFREP provider") struct OFREPTests {
    private static let bulk = #"""
        {"flags":[
            {"key":"tipJar","value":true,"variant":"on","reason":"SPLIT","metadata":{"rule":"es","bucket":12}},
            {"key":"theme","value":"dark","variant":"d","reason":"STATIC","metadata":{}},
            {"key":"size","value":3.0,"reason":"DEFAULT"},
            {"key":"broken","errorCode":"PARSE_ERROR","errorDetails":"rules: [0]"},
            {"key":"limits","value":{"notes":5},"reason":"SOMETHING_NEWER"}],
         "newer":{"key":1}}
        """#

    private func provider(
        _ transport: ScriptedTransport, person: String? = nil, facts: String? = nil
    ) throws -> OFREPProvider {
        let base = try #require(URL(string: "https://cloud.test/nephos/1/iCloud.test/production/flags"))
        var credentials = OFREPProvider.Credentials(token: "api+token/=")
        if let person { credentials.webAuthToken = { person } }
        if let facts { credentials.facts = { facts } }
        return OFREPProvider(base: base, credentials: credentials, transport: transport)
    }

    /// docs/client.md, "What is accepted from a server".
    @Test("Whatever a server responds, there are values or a fault")
    func hostile() async throws {
        for body in HostileBodies.all(insteadOf: try JSON(parsing: Self.bulk)) {
            let transport = ScriptedTransport { _ in .answer(200, body, ["etag": body]) }
            let provider = try provider(transport)
            do throws(FlagFault) {
                guard case .values(let values) = try await provider.fetch(FlagQuestion()) else { continue }
                // Everything that an app can read from them.
                #expect("\(values)".count > 1)
                // What is stored of the response must not spoil the next request, nor what an earlier version stored.
                for tag in [values.tag, body] {
                    _ = try await provider.fetch(FlagQuestion(tag: tag))
                    let sent = transport.requests.last?.headers["If-None-Match"] ?? "x"
                    #expect(sent.isVisibleASCII(atMost: 256), "\(sent.prefix(200))")
                }
                #expect(provider.news(after: values) == nil, "\(body.prefix(200))")
            } catch {
                #expect(error.kind == .unreadable && error.message.count < 20_000, "\(body.prefix(200))")
            }
        }
    }

    @Test("More flags or values than their limits are an error")
    func limits() async throws {
        // A flag has three values: itself, its key and its value.
        for (flags, elements, isRead) in [
            (10_000, 0, true), (10_001, 0, false), (1, 999_997, true), (1, 999_998, false),
        ] {
            let list = Array(repeating: "\"\"", count: elements).joined(separator: ",")
            let flag = #"{"key":"a","value":[\#(list)]}"#
            let body = #"{"flags":[\#(Array(repeating: flag, count: flags).joined(separator: ","))]}"#
            let provider = try provider(ScriptedTransport { _ in .answer(200, body) })
            do throws(FlagFault) {
                _ = try await provider.fetch(FlagQuestion())
                #expect(isRead, "\(flags) \(elements)")
            } catch {
                #expect(!isRead && error.kind == .unreadable, "\(error)")
            }
        }
    }

    @Test("The stream that a server at https names is at https too")
    func streamWithoutTLS() async throws {
        for (address, isFollowed) in [("http://cloud.test/s", false), ("https://cloud.test/s", true), ("/s", true)] {
            let body = #"{"flags":[],"eventStreams":[{"type":"sse","url":"\#(address)"}]}"#
            let provider = try provider(ScriptedTransport { _ in .answer(200, body) })
            guard case .values(let values) = try await provider.fetch(FlagQuestion()) else {
                Issue.record("there are no values")
                continue
            }
            #expect((provider.news(after: values) != nil) == isFollowed, "\(address)")
        }
    }

    @Test("One request fetches all flags, with the context, the token, the person and proved facts")
    func request() async throws {
        let transport = ScriptedTransport { _ in .answer(200, Self.bulk, ["etag": #""e1""#]) }
        let provider = try provider(transport, person: "a+b/c=", facts: "jws")
        var context = FlagContext()
        (context.targetingKey, context.locale, context.claims) = ("d1", "es-MX", ["plan": "pro", "seats": 3])
        let switches = FeatureSwitches(provider: provider, context: context, file: nil)
        #expect(await switches.refresh() == .changed)
        let request = try #require(transport.requests.first)
        #expect(request.method == "POST" && transport.requests.count == 1)
        let address = "https://cloud.test/nephos/1/iCloud.test/production/flags/ofrep/v1/evaluate/flags"
        #expect(request.url.absoluteString == "\(address)?ckWebAuthToken=a%2Bb%2Fc%3D")
        #expect(request.headers["Authorization"] == "Bearer api+token/=")
        #expect(request.headers["X-Nephos-Facts"] == "jws" && request.headers["If-None-Match"] == nil)
        #expect(
            request.text
                == #"{"context":{"locale":"es-MX","plan":"pro","seats":3,"targetingKey":"d1"}}"#)
        #expect(switches.isFeatureEnabled(.tipJar))
        let details = switches.details(of: .tipJar)
        #expect(details.variant == "on" && details.reason == .split)
        #expect(details.metadata == ["rule": "es", "bucket": 12])
        #expect(switches.value(of: Configuration.size) == 3)
        #expect(switches.value(of: Configuration.limits) == Configuration.Limits(notes: 5))
        let broken = switches.details(of: FeatureFlag(id: "broken", default: true))
        #expect(broken.value && broken.error == FlagError(code: "PARSE_ERROR", message: "rules: [0]"))
        #expect(!provider.source.contains("api+token"))
    }

    @Test("Unchanged flags are not sent again, even after a restart")
    func unchanged() async throws {
        let keeping = try Keeping()
        let transport = ScriptedTransport { request in
            request.headers["If-None-Match"] == #""e1""#
                ? .answer(304, "") : .answer(200, Self.bulk, ["etag": #""e1""#])
        }
        let switches = FeatureSwitches(provider: try provider(transport), file: keeping.file)
        #expect(await switches.refresh() == .changed)
        #expect(await switches.refresh() == .unchanged)
        #expect(switches.isFeatureEnabled(.tipJar))
        let next = FeatureSwitches(provider: try provider(transport), file: keeping.file)
        #expect(await next.refresh() == .unchanged)
        #expect(next.details(of: .tipJar).metadata == ["rule": "es", "bucket": 12])
        #expect(next.details(of: FeatureFlag(id: "broken", default: true)).error?.code == "PARSE_ERROR")
        guard case .fetched = next.state.origin else { return #expect(Bool(false), "\(next.state)") }
        #expect(transport.requests.count == 3)
    }

    @Test("An installation without its own targetingKey gets a permanent one")
    func installation() async throws {
        let keeping = try Keeping()
        let transport = ScriptedTransport { _ in .answer(200, Self.bulk) }
        for _ in 0..<2 { await FeatureSwitches(provider: try provider(transport), file: keeping.file).refresh() }
        let bodies = Set(transport.requests.map(\.text))
        #expect(bodies.count == 1 && bodies.first?.contains(#""targetingKey":""#) == true)
    }

    @Test(
        "An invalid response leaves the values unchanged, and the error is reported",
        arguments: [
            (200, "", "cannot be read"), (200, "<html>", "cannot be read"), (200, "{}", "has no flags"),
            (200, #"{"flags":[{"value":true}]}"#, "has no key"),
            (200, #"{"flags":[{"key":"a"}]}"#, "neither a value nor an error"),
            (200, #"{"flags":[{"key":"a","value":01}]}"#, "cannot be read"), (304, "", "304"), (204, "", "204"),
            (401, #"{"errorDetails":"unknown token"}"#, "unknown token"),
            (400, #"{"errorCode":"INVALID_CONTEXT","errorDetails":"context.locale: …"}"#, "context.locale"),
            (404, "nothing", "address"), (500, "[]", "500"), (503, #"{"reason":"busy"}"#, "busy"),
        ])
    func badAnswers(status: Int, body: String, words: String) async throws {
        let answers = LockedBox<[(Int, String)]>([(status, body), (200, Self.bulk)])
        let transport = ScriptedTransport { _ in
            let (status, body) = answers.withLock { $0.popLast() } ?? (200, "")
            return .answer(status, body, ["retry-after": "9"])
        }
        let switches = FeatureSwitches(provider: try provider(transport), file: nil)
        await switches.refresh()
        guard case .failed(let fault) = await switches.refresh() else { return #expect(Bool(false)) }
        #expect(fault.message.contains(words), "\(fault)")
        #expect(status == 200 || fault.retryAfter == .seconds(9))
        #expect(switches.isFeatureEnabled(.tipJar) && switches.state.failure?.fault == fault)
    }

    @Test(
        "Without a response the values stay",
        arguments: [TransportFault.Kind.noNetwork, .lost, .unreachable, .local])
    func noAnswer(kind: TransportFault.Kind) async throws {
        let transport = ScriptedTransport { _ in .failure(TransportFault(kind: kind, message: "the test says so")) }
        let switches = FeatureSwitches(provider: try provider(transport), file: nil)
        #expect(await switches.refresh() == .failed(FlagFault(.unreachable, "the test says so")))
    }

    @Test("The context of this device is valid for every server")
    func currentContext() throws {
        let context = FlagContext.current
        #expect(context.platform == "Linux" || context.platform == "macOS")
        #expect(context.osVersion?.isEmpty == false)
    }
}
