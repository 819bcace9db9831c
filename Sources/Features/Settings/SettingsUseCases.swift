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
        "settings import", .destroys, abstract: "Replace the settings with those of a file.",
        discussion: """
            The file is imported as a whole. If it is not valid, or if stored records violate its constraints, the command reports where and \
            why, and nothing changes. Sections that the file leaves out are removed. If what is removed or changed reveals or loses \
            something, or accepts what was refused, the command asks first; preview it with `nephos settings diff`. Most sections of \
            production are set by `nephos schema deploy`.

            Example:

              nephos settings import iCloud.com.example.app settings.yaml
            """,
        .container, Input<InputFile?>.argument("file", help: "The file; standard input without one."), .environment,
        .yes
    ) { call, container, file, environment, isSure in
        let tenant = Tenant(container: container, environment: environment)
        let text = try call.settingsText(file)
        let administration = try call.administration
        let store = try administration.store(tenant)
        let settings = try call.settings(of: tenant)
        let (change, documents) = try settings.change(
            to: text, in: environment, by: call.actor.author, now: call.now())
        let difference = try administration.difference(from: settings.catalog, to: documents, in: store).ofFile
        try call.confirm(
            "\(difference)\nThis changes the settings of \(tenant), and its effects cannot be taken back.",
            unless: isSure || !difference.isIrreversible)
        _ = try await administration.changing(
            documents, from: settings.catalog, of: store, progress: { call.progress($0) }
        ) { version throws(AdminError) in
            try await administration.commit(to: store, at: version, change.reading, change.decide)
        }
        call.progress("")
        guard !difference.isEmpty else { return .note("Nothing changed: the settings were the same already.") }
        return .note(difference.description).noting("Imported into \(tenant).").noting(
            difference.removesSections
                ? "Sections that were removed are in the history; to restore them, add them to the file, and import it again."
                : nil)
    }

    fileprivate static let diff = UseCase(
        "settings diff", .reads, abstract: "Show what importing a file would change.",
        discussion: """
            Sections and lines that would be removed begin with -, those that would be added with +, and sections that would be changed \
            with ~. Then follows what becomes visible, hidden or writable.
            """,
        .container, Input<InputFile?>.argument("file", help: "The file; standard input without one."), .environment
    ) { call, container, file, environment in
        let tenant = Tenant(container: container, environment: environment)
        let settings = try call.settings(of: tenant)
        let text = try call.settingsText(file)
        let (_, documents) = try settings.change(to: text, in: environment, by: call.actor.author, now: call.now())
        let administration = try call.administration
        let difference = try administration.difference(
            from: settings.catalog, to: documents, in: administration.store(tenant)
        ).ofFile
        return difference.isEmpty ? .note("Nothing would change.") : .text(difference.description)
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

extension SettingsDifference {
    /// Without the file itself, which changes with every comment.
    fileprivate var ofFile: SettingsDifference { without(CatalogSection.settingsText.name) }
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
