import CloudKitSchema
import NephosDomain
package import NephosRunner
import NephosStorage

extension UseCaseGroup {
    package static let schemas = UseCaseGroup(
        "schema", abstract: "Read, check, import, change, deploy and reset schemas.",
        [
            UseCase.exportSchema, UseCase.importSchema, UseCase.validateSchema, UseCase.deploySchema,
            UseCase.allowUses, UseCase.resetSchema,
        ])
}

extension UseCase {
    fileprivate static let exportSchema = UseCase(
        "schema export", .reads, abstract: "Print the schema of an environment.",
        discussion: """
            Equal schemas have equal exports, so exports can be compared.

            Examples:

              nephos schema export iCloud.com.example.app schema.ckdb
              nephos schema export iCloud.com.example.app --environment production
            """,
        .container, Input<OutputFile?>.argument("file", help: "The file to write; standard output if omitted."),
        .environment
    ) { call, container, file, environment in
        let tenant = Tenant(container: container, environment: environment)
        return .bytes(try call.administration.exportSchema(of: tenant), into: file)
    }

    fileprivate static let importSchema = UseCase(
        "schema import", .destroys, abstract: "Replace the schema of development with that of a file.",
        discussion: """
            All of it or nothing. Types, fields, indexes and grants that the file does not contain are removed. If records or \
            values are stored under them, they are lost, and the command asks first; preview it with --dry-run. The file must \
            contain what is active in production, and what the settings use.

            Example:

              nephos schema import iCloud.com.example.app schema.ckdb
            """,
        .container, .schemaFile, .environment, .flag("dry-run", help: "Only print what would change and be lost."), .yes
    ) { call, container, file, environment, isTrial, isSure in
        let administration = try call.administration
        let tenant = Tenant(container: container, environment: environment)
        let contents = try call.contents(ofFileOrInput: file)
        let preview = try administration.previewImport(contents, into: tenant) { call.progress("\($0) records") }
        call.progress("")
        if isTrial {
            let lines =
                [preview.difference.description] + preview.effects.lines
                + preview.losses.sentences("would lose", in: tenant)
            return .text(lines.joined(separator: "\n")).noting("Nothing was changed.")
        }
        let losses = preview.losses.sentences("loses", in: tenant).joined(separator: "\n")
        try call.confirm(losses, unless: isSure || preview.losses.isEmpty)
        let difference = try await administration.importSchema(contents, into: tenant, as: preview)
        let description = ([difference.description] + preview.effects.lines).joined(separator: "\n")
        let answer = UseCaseAnswer.note(description).noting(losses.isEmpty ? nil : losses)
        if difference.isEmpty { return answer }
        return answer.noting(
            "Imported into \(tenant). Apply it to production with: \(call.command("schema deploy \(container)"))")
    }

    fileprivate static let validateSchema = UseCase(
        "schema validate", .reads, abstract: "Check whether a file can be imported.",
        discussion: """
            Changes nothing. If an import would lose stored data, a note says which.

            Example:

              nephos schema validate iCloud.com.example.app schema.ckdb
            """,
        .container, .schemaFile, .environment
    ) { call, container, file, environment in
        let administration = try call.administration
        let tenant = Tenant(container: container, environment: environment)
        do {
            let preview = try administration.previewImport(try call.contents(ofFileOrInput: file), into: tenant) {
                call.progress("\($0) records")
            }
            call.progress("")
            let losses = preview.losses.sentences("would lose", in: tenant)
            return .text("✅ Schema is valid.").noting(losses.isEmpty ? nil : losses.joined(separator: "\n"))
        } catch AdminError.schema(let error) {
            throw Failure("❌ Schema validation failed: \(error.description)", isWhole: true)
        } catch AdminError.refused(let reason) {
            throw Failure("❌ Schema validation failed: \(reason)", isWhole: true)
        }
    }

    fileprivate static let deploySchema = UseCase(
        "schema deploy", .destroys, abstract: "Deploy the schema of development to production.",
        discussion: """
            Types, fields, indexes, roles and grants, and settings, never records. The schema of production only grows. \
            If its records break a constraint, nothing changes. This cannot be undone; preview it with --dry-run. If grants for \
            types that production has, or removed or changed settings, reveal or lose something, or accept what was refused, the \
            command asks first.

            Example:

              nephos schema deploy iCloud.com.example.app --dry-run
            """,
        .container, .flag("dry-run", help: "Only print what would change in production."), .yes
    ) { call, container, isTrial, isSure in
        let administration = try call.administration
        let deploy = try administration.previewDeploy(of: container)
        if isTrial {
            let next = "Nothing was changed. Deploy it with: \(call.command("schema deploy \(container)"))"
            return .text(deploy.description).noting(deploy.isEmpty ? nil : next)
        }
        try call.confirm(
            "\(deploy.description)\nThis deploys it to production of \(container), where its effects cannot be taken back.",
            unless: isSure || !deploy.isIrreversible)
        try await administration.deploySchema(of: container, as: deploy) { call.progress($0) }
        call.progress("")
        return .note(deploy.description).noting(
            deploy.isEmpty ? nil : "Deployed from development to production of \(container).")
    }

    fileprivate static let resetSchema = UseCase(
        "schema reset", .destroys,
        abstract: "Reset development to the schema of production, and delete all its records.",
        discussion: """
            This includes the records of all people, and the trash. Accounts, sessions, tokens and keys stay; roles that \
            people hold in development are removed. If it is interrupted, run it again to finish.

            Example:

              nephos schema reset iCloud.com.example.app --yes
            """,
        .container, .yes
    ) { call, container, isSure in
        let administration = try call.administration
        let preview = try administration.previewReset(of: container) { call.progress("\($0) records") }
        call.progress("")
        let (settings, losses) = (preview.settings, preview.losses)
        let sentence =
            "This deletes all records of \(container) in development, and resets its schema to that of production"
        let question = losses.isEmpty ? "\(sentence)." : "\(sentence):\n\(losses)"
        try call.confirm(settings.isEmpty ? question : "\(settings)\n\(question)", unless: isSure)
        try await administration.resetDevelopment(of: container, as: preview) { done, total in
            call.progress("\(done) of \(total) databases")
        }
        call.progress("")
        let answer = UseCaseAnswer.note("Development of \(container) has the schema of production, and no records.")
        return settings.isEmpty ? answer : .note(settings.description).then(answer)
    }
}

extension SchemaLosses {
    /// Nothing if nothing is lost.
    fileprivate func sentences(_ verb: String, in tenant: Tenant) -> [String] {
        isEmpty ? [] : ["This \(verb) stored data of \(tenant):", description]
    }
}

extension Input where Value == InputFile? {
    fileprivate static var schemaFile: Input { argument("file", help: "The schema file; standard input if omitted.") }
}
