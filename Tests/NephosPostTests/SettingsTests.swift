import NephosPost
import NephosRunner
import NephosTesting
import Testing

/// The settings of `nephos serve` for outgoing deliveries.
@Suite("Settings of outgoing requests") struct SettingsTests {
    private func prepare(_ environment: [String: String]) throws {
        _ = try Feature.delivery.prepare(FeatureSettings(environment: environment))
    }

    @Test("An invalid address of a push service, or file of certificates, is wrong usage")
    func wrong() throws {
        try prepare([:])
        try prepare(["NEPHOS_APNS_URL": "https://push.example.org", "NEPHOS_PUSH_ROOTS": ""])
        let folder = try TemporaryFolder(prefix: "nephos-roots")
        try writeFile("\(folder.path)/none.pem", Array("no certificate".utf8))
        for (name, value) in [
            ("NEPHOS_APNS_URL", "http://push.example.org"), ("NEPHOS_PUSH_ROOTS", "\(folder.path)/absent.pem"),
            ("NEPHOS_PUSH_ROOTS", "\(folder.path)/none.pem"),
        ] {
            let failure = #expect(throws: Failure.self) { try prepare([name: value]) }
            #expect(
                failure?.text.hasPrefix(name) == true && failure?.kind == .wrongUsage, "\(failure?.text ?? "")")
        }
    }
}
