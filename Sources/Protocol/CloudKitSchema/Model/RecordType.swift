public import CloudKitWire

extension Schema {
    /// A record type: its fields, the indexes on its system fields, and what roles may do with its records.
    public struct RecordType: Sendable, Equatable {
        public let name: Name
        /// Its own fields, in byte order of their names.
        public private(set) var fields: [Field]
        /// Indexes on system fields. A system field without indexes is not listed, but exists all the same.
        public private(set) var systemOptions: [SystemField: Options]
        /// Rights in the public database by role. A role without any is not listed.
        public private(set) var grants: [Name: Rights]

        /// - Parameter fields: In any order; of two with the same name, the later one is used.
        public init(
            name: Name, fields: some Sequence<Field> = [], systemOptions: [SystemField: Options] = [:],
            grants: [Name: Rights] = [:]
        ) {
            self.name = name
            self.fields = sortedByName(fields, \.name)
            self.systemOptions = systemOptions.filter { !$0.value.isEmpty }
            self.grants = grants.filter { !$0.value.isEmpty }
        }

        /// The field with a name; nil for system fields. Setting a field adds or replaces it, setting nil removes it.
        public subscript(field name: Name) -> Field? {
            get { position(of: name, in: fields, \.name).found.map { fields[$0] } }
            set { replace(name, in: &fields, \.name, with: newValue) }
        }

        /// The indexes on a system field.
        public subscript(optionsOf field: SystemField) -> Options {
            get { systemOptions[field] ?? [] }
            set { systemOptions[field] = newValue.isEmpty ? nil : newValue }
        }

        /// The rights granted to this role itself, without those of other roles.
        public subscript(rightsOf role: Name) -> Rights {
            get { grants[role] ?? [] }
            set { grants[role] = newValue.isEmpty ? nil : newValue }
        }
    }
}

extension Schema.RecordType {
    /// Creates a record type from stored rows: system fields have a row only if they have an index.
    ///
    /// - Parameter rows: Fields in the form of ``rows``, in any order.
    public init(name: Name, rows: some Sequence<Schema.Field>, grants: [Name: Schema.Rights]) {
        var fields: [Schema.Field] = []
        var systemOptions: [Schema.SystemField: Schema.Options] = [:]
        for row in rows {
            if let system = Schema.SystemField(name: row.name) {
                systemOptions[system] = row.options
            } else {
                fields.append(row)
            }
        }
        self.init(name: name, fields: fields, systemOptions: systemOptions, grants: grants)
    }

    /// The rows to store: its fields, and the system fields that have an index. ``init(name:rows:grants:)`` reads them.
    public var rows: [Schema.Field] {
        let system = Schema.SystemField.allCases.compactMap { field in
            systemOptions[field].map { Schema.Field(name: field.name, type: field.type, options: $0) }
        }
        return system + fields
    }
}
