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
        "schema import", .changes, abstract: "Replace the schema of development with that of a file.",
        discussion: """
            All of it or nothing. Types, fields, indexes and grants that the file does not contain are removed. The file must \
            contain what is active in production, and what constraints of the settings use.

            Example:

              nephos schema import iCloud.com.example.app schema.ckdb
            """,
        .container, .schemaFile, .environment
    ) { call, container, file, environment in
        let administration = try call.administration
        let tenant = Tenant(container: container, environment: environment)
        let difference = try await administration.importSchema(try call.contents(ofFileOrInput: file), into: tenant)
        let answer = UseCaseAnswer.note(difference.description)
        if difference.isEmpty { return answer }
        return answer.noting(
            "Imported into \(tenant). Apply it to production with: \(call.command("schema deploy \(container)"))")
    }

    fileprivate static let validateSchema = UseCase(
        "schema validate", .reads, abstract: "Check whether a file can be imported.",
        discussion: "Changes nothing.\n\nExample:\n\n  nephos schema validate iCloud.com.example.app schema.ckdb",
        .container, .schemaFile, .environment
    ) { call, container, file, environment in
        let administration = try call.administration
        let tenant = Tenant(container: container, environment: environment)
        do {
            _ = try administration.validateSchema(try call.contents(ofFileOrInput: file), for: tenant)
        } catch AdminError.schema(let error) {
            throw Failure("❌ Schema validation failed: \(error.description)", isWhole: true)
        } catch AdminError.refused(let reason) {
            throw Failure("❌ Schema validation failed: \(reason)", isWhole: true)
        }
        return .text("✅ Schema is valid.")
    }

    fileprivate static let deploySchema = UseCase(
        "schema deploy", .changes, abstract: "Deploy the schema of development to production.",
        discussion: """
            Types, fields, indexes, roles and grants, and settings, never records. The schema of production only grows. \
            If its records break a constraint, nothing changes. This cannot be undone; preview it with --dry-run.

            Example:

              nephos schema deploy iCloud.com.example.app --dry-run
            """,
        .container, .flag("dry-run", help: "Only print what would change in production.")
    ) { call, container, isTrial in
        let administration = try call.administration
        if isTrial {
            let difference = try administration.previewDeploy(of: container)
            let next = "Nothing was changed. Deploy it with: \(call.command("schema deploy \(container)"))"
            return .text(difference.description).noting(difference.isEmpty ? nil : next)
        }
        let difference = try await administration.deploySchema(of: container) { call.progress($0) }
        call.progress("")
        return .note(difference.description).noting(
            difference.isEmpty ? nil : "Deployed from development to production of \(container).")
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
        try call.confirm(
            "This deletes all records of \(container) in development, and resets its schema to that of production.",
            unless: isSure)
        try await administration.resetDevelopment(of: container) { done, total in
            call.progress("\(done) of \(total) databases")
        }
        call.progress("")
        return .note("Development of \(container) has the schema of production, and no records.")
    }
}

extension Input where Value == InputFile? {
    fileprivate static var schemaFile: Input { argument("file", help: "The schema file; standard input if omitted.") }
}
