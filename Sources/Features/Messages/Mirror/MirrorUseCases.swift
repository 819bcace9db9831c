import CloudKitSchema
import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

extension Input where Value == String {
    fileprivate static var template: Input {
        option("type", default: Template.standardType.text, help: "The record type with the twelve fields.")
    }
}

extension UseCase {
    static let mirrorMessages = UseCase(
        "message mirror", .changes, abstract: "Copy messages into a record type that older apps read.",
        discussion: """
            Apps without support for messages read records of twelve fields, and show the one whose isCurrent is 1. From now on the server keeps the \
            message that is shown to everybody in the first slot current there, also as time passes.

            If the type is missing, it is created in development; production gets it with nephos schema deploy.

            Example:

              nephos message mirror iCloud.com.example.app --type Communs
            """,
        .tenant, Input<String>.template
    ) { call, tenant, name in
        let operations = try MessageOperations(call, tenant)
        guard tenant.environment == .development else {
            throw Failure("Production gets its settings with: \(call.command("schema deploy \(tenant.container)"))")
        }
        return try await operations.mirror(in: Name(name), call)
    }

    static let importMessages = UseCase(
        "message import", .changes, abstract: "Create messages from the records that an existing app reads.",
        discussion: """
            Each record of twelve fields becomes a message commun-IDENTIFIER: the current one is shown, the others are drafts. The records stay, \
            and are kept current from now on: see nephos message mirror. Records that cannot be read are listed and left unchanged, and the command \
            fails. A second run imports only what is new.

            Example:

              nephos message import iCloud.com.example.app --type Communs
            """,
        .tenant, Input<String>.template
    ) { call, tenant, name in
        try await ImportTemplate(call: call, tenant: tenant, template: Name(name)).carryOut()
    }
}

extension MessageOperations {
    /// Sets a record type of the template as the mirror of messages.
    func mirror(in name: Name, _ call: any UseCaseCall) async throws -> UseCaseAnswer {
        var answer = UseCaseAnswer.nothing
        if try await MessageSetup.make(name, administration, store, { .template(name, role: MessageSetup.role) }) {
            answer = answer.noting("Created the record type \(name).")
        }
        guard settings.mirror != name else { return answer.noting("\(name) is the mirror already.") }
        let catalog = try administration.read(store).catalog
        if let flaw = Template.mismatch(name, in: catalog.schema) {
            let fields = Template.fields.map { "\($0.name)" }.joined(separator: ", ")
            throw Failure(
                "\(name) cannot be the mirror: \(flaw). Nothing was changed. Pass another type with --type. A mirror has the fields \(fields)."
            )
        }
        guard let document = catalog.sections[Messages.name]?.document else { return answer }
        var (reader, json) = (try JSONReader(document), JSONWriter())
        json.beginObject()
        try reader.readObject { reader, key throws(WireError) in
            let value = try reader.skipValue()
            if key.name == "mirror" { return }
            json.key(named: key.name)
            json.raw(value)
        }
        json.member("mirror", name)
        json.endObject()
        try await MessageSetup.write([Messages.name: json.bytes[...]], from: catalog, call, store)
        return answer.noting(
            "The message shown to everybody in slot \(settings.slots[0]) is kept current in \(name) from now on.")
    }
}
