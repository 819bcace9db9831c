import CloudKitWire

/// The rules of an import (docs/schema.md L34 to L37).
struct ImportCheck {
    /// The schema after the import.
    let schema: Schema
    let development: Schema
    let production: Schema
    /// The source of the schema; nil if it was not read from a file.
    let document: SchemaDocument?

    var refusals: [SchemaError] {
        var all = removedTypes
        for type in schema.recordTypes {
            all += removedFields(in: type) + changedTypes(in: type)
        }
        // Stable, so that errors at the same place stay ordered by name.
        return all.enumerated().sorted { left, right in
            guard let a = left.element.place, let b = right.element.place, a != b else {
                return left.offset < right.offset
            }
            return a < b
        }.map(\.element)
    }

    private var removedTypes: [SchemaError] {
        let names = Set(development.recordTypes.map(\.name)).union(production.recordTypes.map(\.name))
        return names.sorted().filter { schema[type: $0] == nil }.compactMap { name in
            let hint = "Record type \(name.shown) is missing here: add it as the export shows it."
            if Identifiers.isManaged(name) {
                return SchemaError(
                    "invalid attempt to delete cloudkit managed record type", at: document?.header, hint: hint)
            }
            guard production[type: name] != nil else { return nil }
            return SchemaError(
                "invalid attempt to delete a record type which is active in a production container",
                at: document?.header, hint: hint)
        }
    }

    private func removedFields(in type: Schema.RecordType) -> [SchemaError] {
        guard let old = production[type: type.name] else { return [] }
        return old.fields.filter { type[field: $0.name] == nil }.map { field in
            SchemaError(
                "invalid attempt to delete a field which is active in a production container", at: place(of: type.name),
                hint: "Field \(field.name.shown) \(field.type.words) of record type \(type.name.shown) is missing "
                    + "here. To rename a field, keep the old one and add a new one.")
        }
    }

    private func changedTypes(in type: Schema.RecordType) -> [SchemaError] {
        type.fields.compactMap { field in
            for (environment, hint) in [(production, inProduction), (development, inDevelopment)] {
                guard let old = environment[type: type.name]?[field: field.name], !old.type.mayBecome(field.type)
                else { continue }
                return SchemaError.typeChange(field, from: old, in: type.name, at: place(of: field, in: type), hint)
            }
            return nil
        }
    }

    private let inProduction = "It is active in production: keep it, and add a field with another name."
    private let inDevelopment =
        "Nothing was changed. To remove its values, import a schema without the field first; to keep them, add a field of another name."

    private func place(of type: Name) -> SchemaPlace? { document.map { $0.places[type] ?? $0.header } }

    private func place(of field: Schema.Field, in type: Schema.RecordType) -> SchemaPlace? {
        document?.fieldPlaces[type.name]?[field.name] ?? place(of: type.name)
    }
}

extension SchemaError {
    static func typeChange(
        _ field: Schema.Field, from old: Schema.Field, in type: Name, at place: SchemaPlace?, _ hint: String
    ) -> SchemaError {
        SchemaError(
            "invalid attempt to change the type of field \(field.name.shown) in record type \(type.shown) "
                + "from \(old.type.words) to \(field.type.words)", at: place, hint: hint)
    }
}
