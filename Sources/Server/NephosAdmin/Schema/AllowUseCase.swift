import CloudKitSchema
import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

extension UseCase {
    static let allowUses = UseCase(
        "schema allow", .changes, abstract: "Let queries use a field, in development.",
        discussion: """
            queryable   compare it, and search for it in a list
            sortable    sort by it, and select a range
            searchable  search for words in a text

            It adds to what the field allows. recordName queryable lets queries list all records of \
            the type. Indexes are built when a query first needs them. Deploy afterwards.

            Examples:

              nephos schema allow iCloud.com.example.app Article recordName queryable
              nephos schema allow iCloud.com.example.app Article title \\
                queryable sortable searchable
            """,
        .container, .typeName, Input<String>.argument("field", help: "The field, or a field that every record has."),
        Input<[FieldUse]>.argument("use", help: "queryable, sortable or searchable; several may follow.")
    ) { call, container, type, field, uses in
        let options = uses.reduce(into: Schema.Options()) { $0.formUnion($1.option) }
        let difference = try await call.administration.allow(
            options, of: Name(field), in: Name(type), of: container)
        guard !difference.isEmpty else {
            return .note("Queries can already use the field in this way. Nothing was changed.")
        }
        return .note(difference.description)
            .noting("Apply it to production with: \(call.command("schema deploy \(container)"))")
    }
}

private enum FieldUse: String, InputWord, CaseIterable {
    case queryable, sortable, searchable

    var option: Schema.Options {
        switch self {
        case .queryable: .queryable
        case .sortable: .sortable
        case .searchable: .searchable
        }
    }
}

extension Administration {
    /// Lets queries of development use a field of a record type in more ways.
    ///
    /// - Parameter field: One of the type, or a system field by either of its names.
    /// - Returns: What became different.
    /// - Throws: ``AdminError/noType(_:_:)``; ``AdminError/refused(_:)`` for a field that is not there, and for ways that its type does not
    ///   have.
    fileprivate func allow(
        _ options: Schema.Options, of field: Name, in type: Name, of container: String
    ) async throws(AdminError) -> SchemaDifference {
        let tenant = Tenant(container: container, environment: .development)
        let change = ChangeSchema { schema in
            guard let old = schema[type: type] else { throw AdminError.noType(type, tenant) }
            var schema = schema
            schema[type: type] = try old.allowing(options, of: field)
            return schema
        }
        return try await commit(to: try store(tenant), change.reading) { reading in
            withSchemaWork(try change.decide(reading))
        }
    }
}

extension Schema.RecordType {
    fileprivate func allowing(_ options: Schema.Options, of name: Name) throws(AdminError) -> Schema.RecordType {
        var type = self
        let system = Schema.SystemField.allCases.first { $0.name == name || $0.apiName == name.text }
        if let system {
            try Self.check(options, within: system.allowedOptions, of: name)
            type[optionsOf: system].formUnion(options)
            return type
        }
        guard var field = type[field: name] else {
            let known = fields.map(\.name.text).joined(separator: ", ")
            throw .refused("\(self.name) has no field \(name.excerpt). It has: \(known).")
        }
        try Self.check(options, within: field.type.allowedOptions, of: name, isEncrypted: field.type.isEncrypted)
        field.options.formUnion(options)
        type[field: name] = field
        return type
    }

    private static func check(
        _ options: Schema.Options, within allowed: Schema.Options, of name: Name, isEncrypted: Bool = false
    ) throws(AdminError) {
        let wrong = options.subtracting(allowed)
        guard !wrong.isEmpty else { return }
        guard !allowed.isEmpty else {
            let kind = isEncrypted ? "an ENCRYPTED field" : "a field of its type"
            throw .refused(
                """
                \(name.excerpt) cannot be \(wrong.words.joined(separator: ", ")): \(kind) cannot be QUERYABLE, SORTABLE, or \
                SEARCHABLE.
                """)
        }
        let can = allowed.words.joined(separator: ", ")
        throw .refused("\(name.excerpt) cannot be \(wrong.words.joined(separator: ", ")): its type permits \(can).")
    }
}
