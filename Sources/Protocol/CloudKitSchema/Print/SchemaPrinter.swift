import CloudKitWire

/// Writes a schema in the service's export format: each schema has exactly one form (docs/schema.md L28 to L31).
public enum SchemaPrinter {
    /// The file: statements separated by empty lines, with a trailing line break.
    public static func print(_ schema: Schema) -> [UInt8] {
        var text = Array("DEFINE SCHEMA\n".utf8)
        for role in schema.roles { text += "\n    CREATE ROLE \(role.schemaSpelling);\n".utf8 }
        for type in schema.recordTypes { text += statement(of: type).utf8 }
        return text
    }

    private static func statement(of type: Schema.RecordType) -> String {
        let fields = fields(of: type)
        let width = fields.map { $0.name.schemaSpelling.utf8.count }.max() ?? 0
        let items = fields.map { line(of: $0, width: width) } + grants(of: type)
        let body = items.joined(separator: ",\n        ")
        return "\n    RECORD TYPE \(type.name.schemaSpelling) (\n        \(body)\n    );\n"
    }

    /// All fields of the type, including system fields, in byte order of their names.
    private static func fields(of type: Schema.RecordType) -> [Schema.Field] {
        let system = Schema.SystemField.allCases.map {
            Schema.Field(name: $0.name, type: $0.type, options: type[optionsOf: $0])
        }
        return (system + type.fields).sorted { $0.name < $1.name }
    }

    private static func line(of field: Schema.Field, width: Int) -> String {
        let name = field.name.schemaSpelling
        let space = String(repeating: " ", count: width - name.utf8.count + 1)
        return "\(name)\(space)\(field.spellingOfType)"
    }

    /// One grant for each role, built-in roles first.
    private static func grants(of type: Schema.RecordType) -> [String] {
        let builtIn = Schema.BuiltInRole.all
        let own = type.grants.keys.filter { !builtIn.contains($0) }.sorted()
        return (builtIn + own).compactMap { role in
            let rights = type[rightsOf: role]
            return rights.isEmpty ? nil : "GRANT \(rights.words.joined(separator: ", ")) TO \(role.schemaSpelling)"
        }
    }
}

extension Schema.Field {
    /// Type and options: `STRING QUERYABLE SORTABLE`.
    var spellingOfType: String { ([type.words] + options.words).joined(separator: " ") }
}
