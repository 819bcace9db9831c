import DeliveryTesting
import Foundation
import NIOCore
import NephosDelivery
import NephosNetwork
import NephosPost
import Synchronization
import Testing

/// docs/protocol.md D17, docs/decisions/0017.
@Suite("Allowed webhook destinations") struct WebhookGuardTests {
    private func send(
        _ url: String, allowing: [String] = [], resolve: HostResolver? = nil
    ) async throws -> SendOutcome {
        let client = try WebhookClient(allowing: allowing, resolve: resolve)
        let outcome = await client.send(try makeCall(url))
        try await client.shutdown()
        return outcome
    }

    private func leads(to addresses: String...) -> HostResolver {
        let found = addresses.compactMap { NetworkAddress($0) }
        return { _ in found }
    }

    private func isRefused(_ outcome: SendOutcome) -> Bool {
        if case .failed(let reason, nil) = outcome { reason.contains("--allow-webhook") } else { false }
    }

    @Test("A receiver on this machine is not contacted unless allowed")
    func ownMachine() async throws {
        let server = try await WebhookStandIn.start()
        #expect(isRefused(try await send(server.url)))
        #expect(isRefused(try await send(server.url, allowing: ["localhost", "example.com"])))
        #expect(server.requests.isEmpty)
        #expect(try await send(server.url, allowing: ["127.0.0.1"]) == .delivered(answer: "200"))
        await server.stop()
    }

    @Test(
        "A name that resolves to this machine or a private network is rejected, even if only one of several addresses does",
        arguments: [
            ["127.0.0.1"], ["10.0.0.1"], ["::1"], ["8.8.8.8", "192.168.0.1"], ["::ffff:169.254.169.254"], ["fd00::1"],
        ])
    func privateNetworks(_ addresses: [String]) async throws {
        let found = addresses.compactMap { NetworkAddress($0) }
        #expect(found.count == addresses.count)
        #expect(isRefused(try await send("https://hook.example.com/", resolve: { _ in found })))
    }

    @Test(
        "If the system does not report its own addresses, a public host is refused for that reason, and no permission of hosts is advised"
    )
    func unknownOwnAddresses() async throws {
        let own = OwnAddresses { throw IOError(errnoCode: EAFNOSUPPORT, reason: "getifaddrs") }
        func outcome(_ address: String, allowing: [String] = []) async throws -> String {
            let client = try WebhookClient(
                timeout: .milliseconds(100), allowing: allowing, resolve: leads(to: address), own: own)
            let outcome = await client.send(try makeCall("https://hook.example.com/"))
            try await client.shutdown()
            return if case .failed(let reason, nil) = outcome { reason } else { "\(outcome)" }
        }
        let reason = try await outcome("8.8.8.8")
        #expect(reason.contains("the addresses of this machine cannot be listed") && reason.contains("AF_NETLINK"))
        #expect(!reason.contains("--allow-webhook"))
        // These need no list.
        #expect(try await outcome("10.0.0.1").contains("--allow-webhook"))
        #expect(!(try await outcome("127.0.0.2", allowing: ["hook.example.com"]).contains("cannot be listed")))
        let client = try GuardedClient(own: own)
        #expect(client.warning?.contains("AF_NETLINK") == true, "a server says it when it starts")
        try await client.shutdown()
        let working = try GuardedClient()
        #expect(working.warning == nil)
        try await working.shutdown()
    }

    @Test("An address of this machine is refused, although it is public") func ownPublicAddress() async throws {
        let own = OwnAddresses { Set([NetworkAddress("8.8.8.8")].compactMap(\.self)) }
        let client = try WebhookClient(resolve: leads(to: "8.8.8.8"), own: own)
        #expect(isRefused(await client.send(try makeCall("https://hook.example.com/"))))
        try await client.shutdown()
    }

    @Test("A name without an address cannot be resolved")
    func nowhere() async throws {
        #expect(
            try await send("https://hook.example.com/", resolve: leads())
                == .failed(reason: "cannot resolve the host name", retryAfter: nil))
    }

    @Test("The name is resolved once per call, and the call goes to that address, with the host's own name")
    func oneLookUp() async throws {
        let server = try await WebhookStandIn.start()
        let port = try #require(server.url.split(separator: ":").last)
        let asked = Mutex<[String]>([])
        // The system's resolver does not know this name.
        let outcome = try await send("http://localhost:\(port)/", allowing: ["LOCALHOST"]) { host in
            asked.withLock { $0.append(host) }
            return [NetworkAddress("127.0.0.1")].compactMap { $0 }
        }
        #expect(outcome == .delivered(answer: "200"))
        #expect(asked.withLock { $0 } == ["localhost"])
        #expect(server.requests.first?.header("Host") == "localhost:\(port)")
        await server.stop()
    }

    @Test("TLS verifies the host's name", arguments: ["hook.example.com", "other.example.com"])
    func certificateOfTheName(host: String) async throws {
        let server = try await APNsStandIn.start(speaksHTTP2: false, host: host)
        let port = try #require(server.url.split(separator: ":").last)
        let client = try WebhookClient(
            roots: Array(server.rootPEM.utf8), allowing: ["hook.example.com"], resolve: leads(to: "127.0.0.1"))
        let outcome = await client.send(try makeCall("https://hook.example.com:\(port)/"))
        if host == "hook.example.com" {
            #expect(outcome == .delivered(answer: "200"))
        } else {
            let reason = if case .failed(let reason, nil) = outcome { reason } else { "" }
            #expect(reason.hasPrefix("TLS handshake failed"), "\(outcome)")
            #expect(server.requests.isEmpty)
        }
        try await client.shutdown()
        await server.stop()
    }

    @Test("If the first address is unreachable, the next is tried")
    func nextAddress() async throws {
        let server = try await WebhookStandIn.start()
        let port = try #require(server.url.split(separator: ":").last)
        // Nothing listens on the first.
        let outcome = try await send(
            "http://localhost:\(port)/", allowing: ["localhost"], resolve: leads(to: "127.9.9.9", "127.0.0.1"))
        #expect(outcome == .delivered(answer: "200"))
        await server.stop()
    }
}
