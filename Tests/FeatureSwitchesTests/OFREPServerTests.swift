import CloudKit
import FeatureSwitches
import FeatureSwitchesCloudKit
import Foundation
import NephosTesting
import Testing

extension ServerTests {
    /// docs/switches.md, "OFREP", with our own server.
    @Suite("The OFREP provider at a server") struct OFREPServerTests {
        private static let settings = """
            version: 1
            flags: {type: FeatureFlag}
            audiences: {spanish: {locale: es}}
            """

        @Test(
            "Flags are fetched from the server, which sends nothing if nothing changed, and a switch applies with the next refresh"
        )
        func flags() async throws {
            let server = try FlagServer(settings: Self.settings)
            let editor = try server.editor()
            try await editor.save(
                flagRecord("tipJar", rules: #"[{"id":"es","when":{"audience":"spanish"},"serve":"off"}]"#))
            let switches = server.switches(server.ofrep(), [FeatureFlag.tipJar])
            #expect(await switches.refresh() == .changed)
            #expect(switches.isFeatureEnabled(.tipJar))
            #expect(await switches.refresh() == .unchanged)
            var context = FlagContext()
            context.locale = "es-MX"
            #expect(await switches.setContext(context) == .changed)
            #expect(!switches.isFeatureEnabled(.tipJar))
            #expect(switches.details(of: .tipJar).reason == .targetingMatch)
            #expect(switches.details(of: .tipJar).metadata["rule"] == "es")
            await switches.setContext(FlagContext())
            let record = try await editor.record(for: CKRecord.ID(recordName: "tipJar"))
            record["state"] = "off"
            try await editor.save(record)
            #expect(await switches.refresh() == .changed)
            #expect(switches.details(of: .tipJar).reason == .disabled)
            let kept = server.switches(server.ofrep())
            #expect(!kept.isFeatureEnabled(.tipJar))
            #expect(await kept.refresh() == .unchanged)
        }

        @Test("The server and the CloudKit provider give the same results for the same records and person")
        func alike() async throws {
            let server = try FlagServer(settings: Self.settings)
            let rules = #"[{"id":"es","when":{"audience":"spanish"},"serve":{"split":{"on":50000,"off":50000}}}]"#
            try await server.editor().save(flagRecord("tipJar", rules: rules))
            let session = try server.container.signIn("grace@example.org")
            let audiences = #"{"spanish":{"locale":"es"}}"#
            for (session, locale) in [(nil, "en"), (nil, "es"), (session, "es-MX")] {
                var context = FlagContext()
                (context.targetingKey, context.locale) = ("d1", locale)
                let providers: [any FlagProvider] = [
                    server.ofrep(session), CloudFlagProvider(container: server.cloud(session), audiences: audiences),
                ]
                var found: [FlagAnswer] = []
                for provider in providers {
                    guard case .values(let values) = try await provider.fetch(FlagQuestion(context)) else { continue }
                    found += values.answers
                }
                #expect(found.count == 2 && found.first == found.last, "\(found)")
            }
        }

        @Test("The server accepts the context of this device")
        func currentContext() async throws {
            let server = try FlagServer(settings: Self.settings)
            try await server.editor().save(flagRecord("tipJar"))
            let switches = server.switches(server.ofrep(), [], .current)
            #expect(await switches.refresh() == .changed, "\(switches.state)")
        }

        @Test("An invalid token and an unreachable server change only the reported error")
        func failures() async throws {
            let server = try FlagServer(settings: Self.settings)
            try await server.editor().save(flagRecord("tipJar"))
            let good = server.ofrep()
            await server.switches(good).refresh()
            var wrong = good
            wrong.credentials.token = "wrong"
            let switches = server.switches(wrong)
            guard case .failed(let fault) = await switches.refresh() else { return #expect(Bool(false)) }
            #expect(fault.kind == .refused && fault.message.contains("token"), "\(fault)")
            #expect(!fault.message.contains("wrong") && switches.isFeatureEnabled(.tipJar))
        }
    }
}
