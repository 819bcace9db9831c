import NephosMail
import NephosRunner
import NephosTesting
import Testing

/// docs/running.md, `NEPHOS_MAIL_ROOTS`.
@Suite("Certificates of mail servers") struct CertificateTests {
    @Test("A file without a certificate is wrong usage, at the start and not at the first mail") func invalid() throws {
        let folder = try TemporaryFolder(prefix: "nephos-roots")
        try writeFile("\(folder.path)/none.pem", Array("no certificate".utf8))
        for name in ["absent.pem", "none.pem"] {
            let settings = FeatureSettings(environment: ["NEPHOS_MAIL_ROOTS": "\(folder.path)/\(name)"])
            let failure = #expect(throws: Failure.self) { try MailCarrier(settings) }
            #expect(failure?.kind == .wrongUsage && failure?.text.contains(name) == true, "\(failure?.text ?? "")")
        }
        _ = try MailCarrier(FeatureSettings(environment: ["NEPHOS_MAIL_ROOTS": ""]))
    }
}
