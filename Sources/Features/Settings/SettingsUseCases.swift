import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

extension UseCaseGroup {
    static let settings = UseCaseGroup(
        "settings", abstract: "Read and set how features work in a container.",
        discussion: "The settings of one environment are one YAML file (docs/settings.md).",
        [.export, .import, .diff, .history])
}

extension UseCase {
    fileprivate static let export = UseCase(
        "settings export", .reads, abstract: "Write the settings to a file.",
        discussion: "Example:\n\n  nephos settings export iCloud.com.example.app settings.yaml",
        .container, Input<OutputFile?>.argument("file", help: "The file; standard output without one."), .environment
    ) { call, container, file, environment in
        let settings = try call.settings(of: Tenant(container: container, environment: environment))
        return .bytes(Array(try settings.text().utf8), into: file)
    }

    fileprivate static let `import` = UseCase(
        "settings import", .changes, abstract: "Replace the settings with those of a file.",
        discussion: """
            The file is imported as a whole. If it is not valid, or if stored records violate its constraints, the command reports where and \
            why, and nothing changes. Sections that the file leaves out are removed. Most sections of production are set by \
            `nephos schema deploy`.

            Example:

              nephos settings import iCloud.com.example.app settings.yaml
            """,
        .container, Input<InputFile?>.argument("file", help: "The file; standard input without one."), .environment
    ) { call, container, file, environment in
        let tenant = Tenant(container: container, environment: environment)
        let text = try call.settingsText(file)
        let administration = try call.administration
        let store = try administration.store(tenant)
        let settings = try call.settings(of: tenant)
        let (change, documents) = try settings.change(
            to: text, in: environment, by: call.actor.author, now: call.now())
        let changed = try await administration.changing(
            documents, of: store, schema: settings.catalog.schema, progress: { call.progress($0) }
        ) { version throws(AdminError) in
            try await administration.commit(to: store, at: version, change.reading, change.decide)
        }
        call.progress("")
        let sections = changed.filter { $0 != CatalogSection.settingsText.name }
        guard !sections.isEmpty else { return .note("Nothing changed: the settings were the same already.") }
        return .note(UseCase.report(of: sections, documents, in: environment))
    }

    /// Names removed sections on a line of their own: it is easy to remove what other commands have written.
    private static func report(
        of sections: [String], _ documents: [String: Bytes?], in environment: Environment
    ) -> String {
        let place = environment.rawValue
        var (changed, removed): ([String], [String]) = ([], [])
        for name in sections {
            if let document = documents[name], document != nil { changed.append(name) } else { removed.append(name) }
        }
        var lines: [String] = []
        if !changed.isEmpty { lines.append("Changed in \(place): \(changed.joined(separator: ", ")).") }
        if !removed.isEmpty {
            lines.append(
                "Removed in \(place): \(removed.joined(separator: ", ")). To restore them, add them to the file, and import it again."
            )
        }
        return lines.joined(separator: "\n")
    }

    fileprivate static let diff = UseCase(
        "settings diff", .reads, abstract: "Show what importing a file would change.",
        discussion: "Lines that would be removed begin with -, lines that would be added with +.",
        .container, Input<InputFile?>.argument("file", help: "The file; standard input without one."), .environment
    ) { call, container, file, environment in
        let settings = try call.settings(of: Tenant(container: container, environment: environment))
        let text = try call.settingsText(file)
        _ = try settings.change(to: text, in: environment, by: call.actor.author, now: call.now())
        let lines = LineDifference(from: try settings.text(), to: text).lines
        return lines.isEmpty ? .note("Nothing would change.") : .text(lines.joined(separator: "\n"))
    }

    fileprivate static let history = UseCase(
        "settings history", .reads, lists: true, abstract: "Show who changed which settings when.", .tenant, .lines()
    ) { call, tenant, limit in
        let administration = try call.administration
        let rows = try administration.rows(
            // Most changes of a section also change the file itself.
            SectionChangeRow.newest(limit: 2 * limit), of: try administration.store(tenant))
        return .table(
            ["Version", "When", "Section", "Bytes", "Who"],
            rows.filter { $0.name != CatalogSection.settingsText.name }.prefix(limit).map { row in
                [
                    "\(row.version)", ISO8601.text(row.changedAt), row.name,
                    row.document.map { "\($0.count)" } ?? "removed",
                    row.author,
                ]
            }, whenEmpty: "Nobody has changed any settings.")
    }
}

extension UseCaseCall {
    fileprivate func settings(of tenant: Tenant) throws -> ContainerSettings {
        let administration = try administration
        return ContainerSettings(try administration.read(administration.store(tenant)).catalog)
    }

    fileprivate func settingsText(_ file: InputFile?) throws(Failure) -> String {
        let bytes = try contents(ofFileOrInput: file)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Failure("\(file?.path ?? "The input") is not UTF-8.")
        }
        return text
    }
}
