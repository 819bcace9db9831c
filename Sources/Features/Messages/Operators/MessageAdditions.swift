import Audience
import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

extension UseCaseGroup {
    static let messageKinds = UseCaseGroup("kind", abstract: "Permit kinds of messages.", [.addKinds])
    static let messageLanguages = UseCaseGroup(
        "language", abstract: "Require languages of messages.", [.addLanguages])
}

extension MessageKind: InputWord {}

extension UseCase {
    fileprivate static let addKinds = UseCase(
        "message kind add", .changes, abstract: "Permit messages of more kinds to be published.",
        discussion: """
            Adds them to section messages of the settings of development; production gets them with nephos schema deploy.

            Example:

              nephos message kind add iCloud.com.example.app website email
            """,
        .container, Input<[MessageKind]>.argument("kind", help: "The kinds.")
    ) { call, container, kinds in
        let operations = try MessageOperations(call, Tenant(container: container, environment: .development))
        let known = operations.settings.kinds
        let added = kinds.reduce(into: [MessageKind]()) {
            if !known.contains($1), !$0.contains($1) { $0.append($1) }
        }.map(\.rawValue)
        guard !added.isEmpty else {
            return .note("Messages of these kinds can be published already. Nothing was changed.")
        }
        try await operations.extend("kinds", known.map(\.rawValue), with: added, call)
        return .note(
            "Messages of kind \(added.joined(separator: ", ")) can be published in development. Production gets this with: "
                + call.command("schema deploy \(container)"))
    }

    fileprivate static let addLanguages = UseCase(
        "message language add", .changes, abstract: "Require more languages of messages that are published.",
        discussion: """
            Adds them to section messages of the settings of development; production gets them with nephos schema deploy. Messages that are \
            published stay as they are.

            Example:

              nephos message language add iCloud.com.example.app fr pt-BR
            """,
        .container, Input<[String]>.argument("language", help: "The languages, such as en or pt-BR.")
    ) { call, container, languages in
        let operations = try MessageOperations(call, Tenant(container: container, environment: .development))
        let tags = try languages.map { language in
            guard let tag = LanguageTag(language) else {
                throw Failure("\(language) is not a language such as en or pt-BR.", kind: .wrongUsage)
            }
            return tag
        }
        let known = operations.settings.languages
        let added = tags.reduce(into: [LanguageTag]()) { if !known.contains($1), !$0.contains($1) { $0.append($1) } }
        guard !added.isEmpty else {
            return .note("Messages are required to have these languages already. Nothing was changed.")
        }
        let names = added.map(\.description)
        try await operations.extend("languages", known.map(\.description), with: names, call)
        return UseCaseAnswer.note(
            "Messages are required to have \(names.joined(separator: ", ")) in development when they are published. "
                + "Production gets this with: \(call.command("schema deploy \(container)"))"
        ).noting(try operations.lacking(added, call))
    }
}

extension MessageOperations {
    /// Adds texts to a list of section `messages` of the settings.
    ///
    /// - Parameter standard: The list if the section has none.
    fileprivate func extend(
        _ key: Name, _ standard: [String], with added: [String], _ call: any UseCaseCall
    ) async throws {
        guard let document = catalog.sections[Messages.name]?.document else { return }
        var (reader, json) = (try JSONReader(document), JSONWriter())
        // What is there stays as it is written.
        var written: [ArraySlice<UInt8>]?
        json.beginObject()
        try reader.readObject { reader, name throws(WireError) in
            if name.name == key {
                var elements: [ArraySlice<UInt8>] = []
                try reader.readArray { reader, _ throws(WireError) in elements.append(try reader.skipValue()) }
                written = elements
            } else {
                json.key(named: name.name)
                json.raw(try reader.skipValue())
            }
        }
        json.key(named: key)
        json.beginArray()
        if let written {
            for element in written { json.raw(element) }
        } else {
            for text in standard { json.string(text) }
        }
        for text in added { json.string(text) }
        json.endArray()
        json.endObject()
        try await MessageSetup.write([Messages.name: json.bytes[...]], from: catalog, call, store)
    }

    /// Which messages have no text in languages that are required now; nil if all have.
    fileprivate func lacking(_ languages: [LanguageTag], _ call: any UseCaseCall) throws -> String? {
        let ids = try all().compactMap { record, message -> String? in
            guard case .success(let message) = message else { return nil }
            return languages.allSatisfy { message.title?.has($0) == true } ? nil : record.name.text
        }
        guard !ids.isEmpty else { return nil }
        let first = ids.prefix(10).joined(separator: ", ") + (ids.count > 10 ? " and \(ids.count - 10) more" : "")
        return """
            Without it: \(first). Add the texts with \(call.command("message edit \(tenant.asTyped) ID")), and see what is missing with \
            \(call.command("message lint \(tenant.asTyped)"))
            """
    }
}
