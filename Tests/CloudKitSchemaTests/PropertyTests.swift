import CloudKitSchema
import CloudKitWire
import NephosTesting
import Testing

/// Properties of all schemas and all bytes.
@Suite struct PropertyTests {
    // docs/schema.md L31
    @Test("An export parses to the same schema and exports the same", arguments: seeds)
    func roundTrip(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<20 {
            let schema = Schema.random(using: &random)
            let export = SchemaPrinter.print(schema)
            let again = try Schema(file: export[...])
            #expect(again == schema && SchemaPrinter.print(again) == export)
        }
    }

    // docs/schema.md L42
    @Test("Applying a difference turns one schema into the other, and equal schemas have none", arguments: seeds)
    func differences(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<20 {
            let old = Schema.random(using: &random)
            let new = Schema.random(using: &random)
            let difference = SchemaDifference(from: old, to: new)
            #expect(old.applying(difference) == new && difference.isEmpty == (old == new))
            #expect(SchemaDifference(from: new, to: new).isEmpty)
        }
    }

    // docs/schema.md L33, L34, L36, L38
    @Test("An allowed import loses nothing of production, and neither does a deploy", arguments: seeds)
    func losses(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<30 {
            let production = Schema.random(using: &random)
            let development = Schema.random(using: &random)
            let file = Schema.random(using: &random)
            let imported = file.imported(over: development)
            let losses = SchemaDifference(from: production, to: imported).losses
            if file.importRefusals(development: development, production: production).isEmpty { #expect(losses.isEmpty) }
            let deployed = development.deployed(to: production)
            #expect(SchemaDifference(from: production, to: deployed).losses.isEmpty)
            #expect(SchemaDifference(from: deployed, to: development.deployed(to: deployed)).isEmpty)
        }
    }

    // docs/schema.md L46
    @Test("Stored rows restore the record type", arguments: seeds)
    func rows(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for type in Schema.random(using: &random).recordTypes {
            let rows = type.rows.shuffled(using: &random).compactMap {
                Schema.Field(
                    name: $0.name, kind: $0.type.kind, isEncrypted: $0.type.isEncrypted, storedOptions: $0.storedOptions
                )
            }
            #expect(Schema.RecordType(name: type.name, rows: rows, grants: type.grants) == type)
        }
    }

    // docs/schema.md L24
    @Test(
        "A damaged file is rejected at a position inside it, or parses to a schema that can be exported",
        arguments: seeds)
    func damage(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for file in SchemaFiles.valid.files.shuffled(using: &random).prefix(6) {
            var bytes = file.bytes
            for _ in 0..<Int.random(in: 1...3, using: &random) { mutate(&bytes, using: &random) }
            try check(bytes)
        }
        try check((0..<200).map { _ in UInt8.random(in: 0...255, using: &random) })
    }

    private func check(_ bytes: [UInt8]) throws {
        guard let error = refusal(bytes) else {
            let schema = try Schema(file: bytes[...])
            #expect(try Schema(file: SchemaPrinter.print(schema)[...]) == schema)
            return
        }
        let lines = lines(of: bytes)
        #expect((1...lines.count).contains(error.line), "\(error)")
        let length = lines.indices.contains(error.line - 1) ? lines[error.line - 1] : 0
        #expect((1...length + 1).contains(error.column), "\(error)")
    }

    private func mutate(_ bytes: inout [UInt8], using random: inout SeededGenerator) {
        guard let place = bytes.indices.randomElement(using: &random) else { return }
        let pieces = ["\"", "/*", "\r", ";", ")", ",", "GRANT ", "LIST<", "_", "\u{0}", "é", "#"]
        switch Int.random(in: 0..<5, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.remove(at: place)
        case 2: bytes.insert(contentsOf: (pieces.randomElement(using: &random) ?? "").utf8, at: place)
        case 3: bytes.removeSubrange(place...)
        default: bytes.removeSubrange(place..<min(place + 40, bytes.count))
        }
    }

    /// The number of bytes of each line, which is at least that of its characters.
    private func lines(of bytes: [UInt8]) -> [Int] {
        var lines = [0]
        for (index, byte) in bytes.enumerated() {
            let isBreak = byte == 0x0A && (index == 0 || bytes[index - 1] != 0x0D) || byte == 0x0D
            if isBreak { lines.append(0) } else if byte != 0x0A { lines[lines.count - 1] += 1 }
        }
        return lines
    }

    // docs/schema.md L1, L11
    @Test("Parses wide types, long comments and many grants")
    func big() throws {
        let fields = (0..<2_000).map { "field_\($0) STRING QUERYABLE SORTABLE" }.joined(separator: ",\n")
        #expect(try schema(items: fields).fieldCount == 2_000)
        let space = String(repeating: "/* a comment */ \n", count: 40_000)
        #expect(refusal("DEFINE SCHEMA \(space) #")?.line == 40_001)
        let open = "DEFINE SCHEMA RECORD TYPE T (" + String(repeating: "GRANT READ TO r,", count: 20_000)
        #expect(refusal(open)?.column == open.utf8.count + 1)
    }
}
