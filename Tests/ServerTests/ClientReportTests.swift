import NephosTesting
import ServerTesting
import Testing

extension ServerTests {
    /// docs/clients.md, "Reading reports".
    @Suite("The commands for clients") struct ClientReportTests {
        @Test("An operator sees which versions exist, and how many clients an audience has before it is used (S2-35)")
        func shown() throws {
            let container = try freshContainer()
            let ada = try container.person("ada@example.org")
            func nephos(_ arguments: String...) throws -> CommandResult {
                try container.cloud.server.command.run(arguments)
            }
            let off = try nephos("clients", "show", container.id)
            #expect(off.status == 1 && off.errors.contains("set report: true under clients in the settings"))
            let folder = try TemporaryFolder(prefix: "nephos-clients")
            let settings = "version: 1\naudiences: {spanish: {locale: [es]}}\nclients: {report: true}\n"
            try writeFile(folder.path + "/settings.yaml", settings.utf8)
            try container.cloud.server.command("settings", "import", container.id, folder.path + "/settings.yaml")
            expectRecord(
                try ada.modify(operation("create", "first", type: "Note", fields: [:]), zone: nil, in: .public),
                name: "first", type: "Note")
            let asked = [(ada, "2.3;iOS;17.5;es-MX")] + (1...3).map { (container.app, "2.4;Web;;de;browser\($0)") }
            for (client, app) in asked {
                client.headers = [HTTPHeader("X-Nephos-App", app)]
                defer { client.headers = [] }
                _ = try client.lookUp("first", zone: nil, in: .public)
            }
            let isCounted = try Deadline().waits {
                try nephos("clients", "show", container.id, "--output", "json").output.contains(#""clients":4"#)
            }
            #expect(isCounted)
            let shown = try nephos("clients", "show", container.id)
            #expect(
                shown.output.contains(/2\.4 +3 +75 %/) && shown.output.contains(/2\.3 +1 +25 %/), "\(shown.output)")
            #expect(shown.errors.contains("within 90 days: 4."), "\(shown.errors)")
            let languages = try nephos("clients", "show", container.id, "--by", "language", "--output", "json").line
            #expect(
                languages
                    == #"{"by":"language","clients":4,"values":[{"value":"de","clients":3},{"value":"es","clients":1}]}"#
            )
            for (audience, count) in [("spanish", 1), (#"{"app":">=2.4","platform":"web"}"#, 3)] {
                let reach = try nephos("clients", "reach", container.id, audience)
                #expect(reach.errors.hasPrefix("\(count) of 4 clients"), "\(audience): \(reach.errors)")
            }
            for (audience, reason) in [
                ("nobody", "There is no audience nobody"), ("{", "The condition cannot be read: "),
                (#"{"not":{"color":"red"}}"#, "not.color: this version supports no such condition"),
            ] {
                let reach = try nephos("clients", "reach", container.id, audience)
                #expect(reach.status == 1 && reach.errors.contains(reason), "\(audience): \(reach.errors)")
            }
        }
    }
}
