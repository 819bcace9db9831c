import CloudKitSchema
import CloudKitWire
import Testing

/// Defaults, and the stored form of a schema in the catalog.
@Suite struct DefaultsTests {
    // docs/schema.md L45
    @Test(
        "A field that a save creates gets the indexes of its type",
        arguments: [
            (FieldType.string, ["QUERYABLE", "SEARCHABLE", "SORTABLE"]), (.int64, ["QUERYABLE", "SORTABLE"]),
            (.double, ["QUERYABLE", "SORTABLE"]), (.timestamp, ["QUERYABLE", "SORTABLE"]),
            (.bytes, ["QUERYABLE", "SORTABLE"]), (.location, ["QUERYABLE", "SORTABLE"]), (.reference, ["QUERYABLE"]),
            (.asset, []), (.stringList, ["QUERYABLE", "SEARCHABLE"]), (.int64List, ["QUERYABLE"]),
            (.doubleList, ["QUERYABLE"]), (.timestampList, ["QUERYABLE"]), (.bytesList, ["QUERYABLE"]),
            (.locationList, ["QUERYABLE"]), (.referenceList, ["QUERYABLE"]), (.assetList, []), (.unknownList, []),
        ])
    func justInTime(kind: FieldType, words: [String]) {
        #expect(Schema.Options.justInTime(kind).words == words)
        #expect(Schema.Options.justInTime(kind, isEncrypted: true).isEmpty)
    }

    // docs/schema.md L45
    @Test("A type that a save creates gets three grants")
    func grants() throws {
        let type = try #require(
            try schema(items: "GRANT WRITE TO \"_creator\", GRANT CREATE TO \"_icloud\", GRANT READ TO \"_world\"")[
                type: "T"])
        #expect(type.grants == Schema.RecordType.justInTimeGrants)
    }

    // docs/schema.md L17
    @Test("System fields have names in the language and in the service")
    func systemFields() {
        #expect(Schema.SystemField.allCases.count == 6)
        for field in Schema.SystemField.allCases {
            #expect(Schema.SystemField(name: field.name) == field)
            #expect(SystemField(spelling: Name(field.apiName)) == SystemField(spelling: field.name))
        }
        #expect(Schema.SystemField(name: "___share") == nil && Schema.SystemField(name: "recordName") == nil)
    }

    // docs/schema.md L46
    @Test("A field is restored from what the catalog stores of it")
    func stored() throws {
        let type = try #require(
            try schema(
                items: """
                    a NUMBER SORTABLE, b NUMBER PREFERRED AS INT64 QUERYABLE, c LIST<NUMBER PREFERRED AS DOUBLE>,
                    d LIST<ENCRYPTED BYTES>, e STRING QUERYABLE SORTABLE SEARCHABLE, "___modTime" TIMESTAMP SORTABLE
                    """)[type: "T"])
        #expect(type.rows.map(\.storedOptions) == [2, 10, 25, 24, 0, 7])
        let rows = type.rows.compactMap {
            Schema.Field(
                name: $0.name, kind: $0.type.kind, isEncrypted: $0.type.isEncrypted, storedOptions: $0.storedOptions)
        }
        #expect(Schema.RecordType(name: "T", rows: rows, grants: type.grants) == type)
        #expect(
            Schema.Rights.read.rawValue == 1 && Schema.Rights.create.rawValue == 2 && Schema.Rights.write.rawValue == 4)
        #expect(Schema.Field(name: "a", kind: .asset, isEncrypted: true, storedOptions: 0) == nil)
        #expect(
            Schema.Field(name: "a", kind: .string, isEncrypted: false, storedOptions: 7 | 1 << 40)?.storedOptions == 7)
    }

    // docs/schema.md L10, L18
    @Test("A schema keeps one entry per name, drops empty entries, and can be changed")
    func values() throws {
        let one = Schema.Field(name: "a", type: try .plain(.string))
        let two = Schema.Field(name: "a", type: try .plain(.int64))
        var type = Schema.RecordType(name: "T", fields: [one, two], systemOptions: [.etag: []], grants: ["r": []])
        #expect(type.fields == [two] && type.systemOptions.isEmpty && type.grants.isEmpty)
        type[field: "a"] = nil
        type[optionsOf: .etag] = .queryable
        type[rightsOf: "r"] = .read
        var some = Schema(roles: ["r", "r"], recordTypes: [type])
        some.insert(role: "q")
        some.insert(role: "r")
        #expect(some.roles == ["q", "r"] && some.fieldCount == 0 && type.systemOptions == [.etag: .queryable])
        some.remove(role: "r")
        #expect(some.roles == ["q"] && some[type: "T"]?.grants.isEmpty == true)
    }
}
