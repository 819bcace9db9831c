import CloudKit
import FeatureSwitches
import FeatureSwitchesCloudKit
import Foundation
import Testing

// The listings of docs/switches.md, verbatim; its declarations are in Support/Flags.swift.

func launch(server: URL, token: String) -> FeatureSwitches {
    let provider = OFREPProvider(
        server: server, container: "iCloud.com.example.app", environment: "production",
        credentials: OFREPProvider.Credentials(token: token))
    let switches = FeatureSwitches(
        provider: provider,
        declaring: [FeatureFlag.tipJar, FeatureFlag.versionCheck, Configuration.theme, Configuration.limits])
    switches.start()
    return switches
}

func show(_ features: any FeatureSwitchProvider) -> String {
    guard features.isFeatureEnabled(.tipJar) else { return "no tip jar" }
    let notes = features.value(of: Configuration.limits).notes
    return "a tip jar in \(features.value(of: Configuration.theme)), and \(notes) notes"
}

func everybody(with plan: String) -> FlagContext {
    var context = FlagContext.current
    context.device = "iPad"
    context.claims = ["plan": .string(plan)]
    return context
}

func launchWithCloudKit(_ container: CKContainer) -> FeatureSwitches {
    let provider = CloudFlagProvider(container: container, records: .declared("FeatureFlag"))
    let switches = FeatureSwitches(provider: provider, declaring: [FeatureFlag.tipJar])
    switches.start()
    return switches
}

func received(_ userInfo: [AnyHashable: Any], _ switches: FeatureSwitches) async {
    if CloudFlagProvider.isAboutFlags(userInfo) { await switches.refresh() }
}

/// docs/switches.md
@Suite("The page about switches") struct DocumentedTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()

    @Test("Each line of code on the page is in a file that compiles")
    func code() throws {
        let page = try String(contentsOf: Self.folder.appending(path: "../../docs/switches.md"), encoding: .utf8)
        let files = try ["DocumentedTests.swift", "Support/Flags.swift"].map {
            try String(contentsOf: Self.folder.appending(path: $0), encoding: .utf8)
        }
        let compiled = Set(files.joined(separator: "\n").split(separator: "\n"))
        let blocks = page.components(separatedBy: "```swift\n").dropFirst().compactMap {
            $0.components(separatedBy: "```").first
        }
        #expect(blocks.count == 4)
        for line in blocks.joined().split(separator: "\n") { #expect(compiled.contains(line), "\(line)") }
    }

    @Test("An app with a mock provider shows the mock's values")
    func shown() {
        #expect(show(MockProvider()) == "no tip jar")
        let features = StaticProvider(["tipJar": true, "theme": "dark", "limits": ["notes": 5]])
        #expect(show(features) == "a tip jar in dark, and 5 notes")
        #expect(everybody(with: "pro").claims == ["plan": "pro"])
    }
}
