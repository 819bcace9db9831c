import NephosCommands
import NephosMail
import NephosTesting
import Testing

/// docs/mail.md.
@Suite("Commands for mail") struct MailCommandTests {
    private let folder: DataFolder

    init() throws {
        folder = try .prepared()
        #expect(try folder.run(["mail", "configure", "--folder", "--from", "nephos@localhost"]).status == 0)
    }

    @Test("A test mail comes with the note that links need a public URL, unless the environment has one")
    func publicURL() throws {
        for (url, isNoted) in [("", true), ("https://cloud.example.org", false)] {
            let result = try folder.run(
                ["mail", "test", "mary@example.org"], environment: ["NEPHOS_PUBLIC_URL": url],
                calling: { Nephos.Outgoing(mail: try MailCarrier($0)) })
            #expect(result.status == 0 && result.output.hasPrefix("It is in "), "\(result.errors)")
            #expect(result.errors.contains("--public-url") == isNoted, "\(result.errors)")
        }
    }
}
