import CloudKitWire

extension SchemaBuilder {
    /// Checks the name of a record type or a field.
    static func checkName(_ name: Name, _ what: String, _ place: SchemaPlace) throws(SchemaError) {
        try checkLength(name, what, place)
        guard Identifiers.isNameOfTypeOrField(name) else {
            throw SchemaError(
                "\(name.shown) cannot be the name of a \(what)", at: place,
                hint: "A name is a letter, then letters, digits and '_'; \"cloudkit.\" can precede it.")
        }
    }

    static func checkLength(_ name: Name, _ what: String, _ place: SchemaPlace) throws(SchemaError) {
        guard (1...Identifiers.longest).contains(name.bytes.count) else {
            throw SchemaError(
                "The name of a \(what) must have 1 to \(Identifiers.longest) bytes, this one has \(name.bytes.count)",
                at: place)
        }
    }

    static func tooMany(_ limit: Int, _ what: String, _ place: SchemaPlace) -> SchemaError {
        SchemaError("A schema can have at most \(limit) \(what)", at: place)
    }

    /// The likely intention of a field name that begins with an underscore.
    static func hint(underscored name: Name) -> String {
        let bare = name.bytes.drop { $0 == UInt8(ascii: "_") }
        let meant = Schema.SystemField.allCases.first {
            Identifiers.lowercased($0.name.bytes.dropFirst(3)) == Identifiers.lowercased(bare)
        }
        if let meant { return "The name has three underscores: \(meant.name.schemaSpelling) \(meant.type.words)." }
        let names = Schema.SystemField.allCases.map(\.name.schemaSpelling).joined(separator: ", ")
        return "Names that begin with '_' are reserved for the system, which has \(names)."
    }

    /// The likely intention of an undeclared role.
    static func hint(undeclared name: Name) -> String {
        let bare = Identifiers.lowercased(name.bytes.drop { $0 == UInt8(ascii: "_") })
        let meant: Name? =
            switch String(decoding: bare, as: UTF8.self) {
            case "world", "everyone", "everybody", "public": Schema.BuiltInRole.world
            case "icloud", "authenticated", "users", "user": Schema.BuiltInRole.icloud
            case "creator", "owner": Schema.BuiltInRole.creator
            default: nil
            }
        if let meant { return "The built-in role is written \(meant.schemaSpelling)." }
        if name.bytes.first == UInt8(ascii: "_") {
            return "Built-in roles are \"_creator\", \"_icloud\" and \"_world\"."
        }
        return "Declare it: CREATE ROLE \(name.shown);"
    }
}
