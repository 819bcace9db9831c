import CloudKitSchema
import CloudKitWire
import Foundation
import NephosDomain
import NephosRunner
import NephosTesting
import ServerTesting
import Testing

/// docs/schema.md L49: what the settings use cannot be removed, whatever feature the section belongs to.
@Suite("What sections of the settings use") struct SectionUseTests {
    private static let id = DataFolder.container

    /// A document of each section that uses as much of a schema as it can; nil for a section that never uses any.
    private static let documents: [String: String?] = [
        "audiences": nil, "clients": nil, "people": nil, "settings": nil,
        "constraints":
            #"{"Limited":[{"rule":"noOverlap","start":"at","end":"until","group":["slot"],"where":{"isCurrent":1}},{"rule":"unique","field":"title"}]}"#,
        "content":
            #"{"Chibi":{"publishedAt":"publishedAt","until":"until","every":"every","access":"access","audience":"audience","weight":"weight","collection":"collection","preview":"thumbnail"}}"#,
        "flags": #"{"type":"Flag","mirror":{"type":"Switches","record":"current"}}"#,
        "messages": #"{"type":"Message","languages":["en"],"mirror":"Template"}"#,
        "trends":
            #"{"types":["Shown"],"private":["Note"],"splits":[{"type":"Post","field":"version"}],"lists":[{"type":"Post","field":"names"}],"alarms":[{"type":"Watched","mail":"ops@example.com"}]}"#,
    ]

    private static let sections = [Feature].ofProgram().flatMap(\.rules.sections)

    private static func uses() throws -> [(section: String, use: SchemaUse)] {
        try sections.flatMap { section in
            let document = documents[section.name] ?? nil
            return try document.map { try section.uses(of: Array($0.utf8)[...]) }?.map { (section.name, $0) } ?? []
        }
    }

    @Test("Every section of the program declares what it uses, and this test knows it")
    func all() throws {
        #expect(Set(Self.sections.map(\.name)) == Set(Self.documents.keys))
        let using = Set(try Self.uses().map(\.section))
        #expect(using == Set(Self.documents.filter { $0.value != nil }.keys))
    }

    /// A schema with everything that the documents use, each field of a kind that suits.
    private static func schema() throws -> Schema {
        var schema = Schema.ofNewContainer
        for (_, use) in try uses() {
            var type = schema[type: use.type] ?? Schema.RecordType(name: use.type)
            schema[type: use.type] = type
            guard case .field(let name) = use.part, type[field: name] == nil else { continue }
            let types = FieldType.allCases.compactMap { Schema.DataType($0) }
            let fields = types.map { Schema.Field(name: name, type: $0) }
            let suitable = fields.first { field in
                type[field: name] = field
                schema[type: use.type] = type
                return use.lack(in: schema) == nil
            }
            #expect(suitable != nil, "\(use) suits no kind")
        }
        schema[type: "Switches"]?[field: "dark"] = Schema.DataType(.int64).map { Schema.Field(name: "dark", type: $0) }
        return schema
    }

    @Test("A schema without a type or field that a section uses is refused, with section and type, and changes nothing")
    func refused() throws {
        let folder = try DataFolder.prepared()
        let schema = try Self.schema()
        func run(_ verb: String, _ schema: Schema) throws -> Outcome {
            try writeFile(folder.folder.path + "/schema.ckdb", SchemaPrinter.print(schema))
            return try folder.run(["schema", verb, Self.id, "FOLDER/schema.ckdb"])
        }
        let first = try run("import", schema)
        #expect(first.status == 0, "\(first)")
        // JSON is YAML.
        let text = Self.documents.compactMap { name, document in document.map { "\(name): \($0)\n" } }.joined()
        try writeFile(folder.folder.path + "/settings.yaml", Array("version: 1\n\(text)".utf8))
        let settings = try folder.run(["settings", "import", Self.id, "FOLDER/settings.yaml"])
        #expect(settings.status == 0, "\(settings)")
        for (section, use) in try Self.uses() {
            var smaller = schema
            switch use.part {
            case .type: smaller[type: use.type] = nil
            case .field(let name): smaller[type: use.type]?[field: name] = nil
            case .everyField: smaller[type: use.type]?[field: "dark"] = nil
            }
            let words = use.part == .everyField ? "field dark of Switches" : use.words
            let outcome = try run("validate", smaller)
            #expect(outcome.status == 1, "\(words): \(outcome)")
            #expect(outcome.errors.contains("section \(section) of the settings uses"), "\(words): \(outcome)")
            #expect(outcome.errors.contains(words), "\(section) uses \(words): \(outcome)")
        }
        let removed = try run("import", .ofNewContainer)
        #expect(removed.status == 1, "\(removed)")
        #expect(
            try folder.run(["schema", "export", Self.id]).output
                == String(decoding: SchemaPrinter.print(schema), as: UTF8.self))
        // Without the settings it is an ordinary change.
        try writeFile(folder.folder.path + "/settings.yaml", Array("version: 1\n".utf8))
        #expect(try folder.run(["settings", "import", Self.id, "FOLDER/settings.yaml", "--yes"]).status == 0)
        #expect(try run("import", .ofNewContainer).status == 0)
    }
}
