import CloudKit
import FeatureSwitches
import FeatureSwitchesCloudKit
import Foundation
import NephosTesting
import Testing

extension ServerTests {
    /// docs/switches.md, "CloudKit": plain public records, on a server without flags.
    @Suite("The CloudKit provider") struct CloudTests {
        @Test(
            "One record per flag: all are fetched by a query or by name and evaluated on the device, without an account"
        )
        func records() async throws {
            let server = try FlagServer()
            let editor = try server.editor()
            let rules =
                #"[{"id":"es","when":{"locale":"es"},"serve":"off"},{"id":"new","when":{"audience":"new"},"serve":"off"}]"#
            try await editor.save(flagRecord("tipJar", rules: rules))
            try await editor.save(flagRecord("versionCheck", state: "off"))
            let broken = flagRecord("broken")
            broken["rules"] = "[{}]"
            try await editor.save(broken)
            let flags: [any DeclaredFlag] = [
                FeatureFlag.tipJar, FeatureFlag.versionCheck, FeatureFlag(id: "missing", default: true),
                FeatureFlag(id: "broken", default: true),
            ]
            for records in [CloudFlagProvider.Records.all("FeatureFlag"), .declared("FeatureFlag")] {
                let provider = CloudFlagProvider(
                    container: server.cloud(), records: records, audiences: #"{"new":{"app":">=3"}}"#)
                let switches = server.switches(provider, flags)
                #expect(await switches.refresh() == .changed)
                #expect(switches.isFeatureEnabled(.tipJar) && !switches.isFeatureEnabled(.versionCheck))
                #expect(switches.details(of: .versionCheck).reason == .disabled)
                let missing = switches.details(of: FeatureFlag(id: "missing", default: true))
                #expect(missing.value && missing.error?.code == "FLAG_NOT_FOUND")
                let broken = switches.details(of: FeatureFlag(id: "broken", default: true))
                #expect(broken.value && broken.error?.code == "PARSE_ERROR")
                for (locale, version, rule) in [("es-MX", "1.0", "es"), ("en", "3.1", "new")] {
                    var context = FlagContext()
                    (context.locale, context.appVersion) = (locale, version)
                    await switches.setContext(context)
                    #expect(!switches.isFeatureEnabled(.tipJar))
                    #expect(switches.details(of: .tipJar).metadata["rule"] == .string(rule))
                }
            }
        }

        @Test("A signed-in person's bucket depends on their id, so it is the same on all their devices")
        func person() async throws {
            let server = try FlagServer()
            let rules = #"[{"id":"half","serve":{"split":{"on":50000,"off":50000}}}]"#
            try await server.editor().save(flagRecord("tipJar", rules: rules))
            let session = try server.container.signIn("grace@example.org")
            var buckets: Set<FlagValue?> = []
            for key in ["phone", "tablet"] {
                var context = FlagContext()
                context.targetingKey = key
                let switches = server.switches(CloudFlagProvider(container: server.cloud(session)), [], context)
                await switches.refresh()
                buckets.insert(switches.details(of: .tipJar).metadata["bucket"])
            }
            #expect(buckets.count == 1 && buckets.first != .some(nil))
        }

        @Test("All flags in one record, as in the article: the newest of a type, or the one with a given name")
        func oneRecord() async throws {
            let server = try FlagServer()
            let editor = try server.editor()
            for (name, isOn) in [("old", 0), ("current", 1)] {
                let record = CKRecord(recordType: "AppFeatures", recordID: CKRecord.ID(recordName: name))
                (record["tipJar"], record["versionCheck"], record["theme"]) = (isOn, 1 - isOn, "dark")
                try await editor.save(record)
            }
            for (records, isOn) in [
                (CloudFlagProvider.Records.newest("AppFeatures"), true), (.named("current", "AppFeatures"), true),
                (.named("old", "AppFeatures"), false),
            ] {
                let switches = server.switches(CloudFlagProvider(container: server.cloud(), records: records))
                #expect(await switches.refresh() == .changed)
                #expect(switches.isFeatureEnabled(.tipJar) == isOn && switches.isFeatureEnabled(.versionCheck) == !isOn)
                #expect(switches.value(of: Configuration.theme) == "dark")
            }
            let nothing = server.switches(
                CloudFlagProvider(container: server.cloud(), records: .named("x", "AppFeatures")))
            await nothing.refresh()
            #expect(nothing.isFeatureEnabled(.versionCheck) && nothing.state.failure == nil)
        }

        @Test("A push about flags triggers a fetch, and a push about other records does not")
        func push() async throws {
            let server = try FlagServer()
            try await server.editor().save(flagRecord("tipJar"))
            let cloud = server.cloud(try server.container.signIn("grace@example.org"))
            let provider = CloudFlagProvider(container: cloud)
            for _ in 0..<2 { try await provider.subscribe() }
            let switches = server.switches(provider)
            await switches.refresh()
            #expect(switches.isFeatureEnabled(.tipJar))
            let pushes = try await cloud.remoteNotifications()
            let editor = try server.editor()
            let record = try await editor.record(for: CKRecord.ID(recordName: "tipJar"))
            record["state"] = "off"
            try await editor.save(record)
            for try await push in pushes where CloudFlagProvider.isAboutFlags(push.userInfo) {
                await switches.refresh()
                break
            }
            #expect(!switches.isFeatureEnabled(.tipJar))
            #expect(!CloudFlagProvider.isAboutFlags(["aps": [:], "ck": ["qry": ["sid": "another"]]]))
        }

        @Test("When CloudKit fails the values stay, and the error is visible")
        func failures() async throws {
            let server = try FlagServer()
            try await server.editor().save(flagRecord("tipJar"))
            let switches = server.switches(CloudFlagProvider(container: server.cloud()))
            await switches.refresh()
            let wrong = NephosConfiguration(serverURL: server.url, environment: .development, apiToken: "wrong")
            let container = CKContainer(identifier: server.container.id, configuration: wrong)
            let next = server.switches(CloudFlagProvider(container: container))
            guard case .failed(let fault) = await next.refresh() else { return #expect(Bool(false)) }
            #expect(fault.kind == .refused && next.isFeatureEnabled(.tipJar) && next.state.failure?.fault == fault)
            let audiences = CloudFlagProvider(container: server.cloud(), audiences: "{")
            #expect(await server.switches(audiences).refresh() != .unchanged)
        }
    }
}
