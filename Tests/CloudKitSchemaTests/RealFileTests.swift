import CloudKitSchema
import CloudKitWire
import Testing

/// Schemas of real apps.
@Suite struct RealFileTests {
    // docs/schema.md L31
    @Test("Every file parses, and its export parses to the same schema", arguments: SchemaFiles.valid.files)
    func reading(file: SchemaFiles.File) throws {
        let schema = try Schema(file: file.bytes[...])
        let export = SchemaPrinter.print(schema)
        #expect(try Schema(file: export[...]) == schema)
        #expect(SchemaPrinter.print(try Schema(file: export[...])) == export)
        #expect(SchemaDifference(from: schema, to: try Schema(file: export[...])).isEmpty)
    }

    // docs/schema.md L28 to L31
    @Test(
        "Exports of the service are reproduced byte for byte",
        arguments: SchemaFiles.valid.files.filter { looksExported($0.text) })
    func exports(file: SchemaFiles.File) throws {
        let export = SchemaPrinter.print(try Schema(file: file.bytes[...]))
        // An export that a command writes to a terminal has one more line break.
        #expect(export == file.bytes || export + [0x0A] == file.bytes)
    }

    // docs/schema.md L31
    @Test("Of the collected files, fifteen are exports, and no other file has the form of one")
    func count() throws {
        guard SchemaFiles.valid.isReal, SchemaFiles.valid.files.count == 55 else { return }
        let same = try SchemaFiles.valid.files.filter { file in
            let export = SchemaPrinter.print(try Schema(file: file.bytes[...]))
            return export == file.bytes || export + [0x0A] == file.bytes
        }
        let looking = SchemaFiles.valid.files.filter { looksExported($0.text) }
        #expect(same.count == 15 && same.map(\.name) == looking.map(\.name))
    }

    // docs/schema.md L24, L25
    @Test(
        "Each published file that is not a valid schema is rejected at the right position",
        arguments: SchemaFiles.invalid.files)
    func invalid(file: SchemaFiles.File) throws {
        let error = try #require(refusal(file.bytes))
        #expect(error.line > 0 && error.column > 0)
        guard let expected = expectedErrors[file.name] else { return }
        #expect(error.description.hasPrefix(expected.first) && error.hint?.contains(expected.hint) == true, "\(error)")
    }

    // docs/schema.md L24 to L27
    @Test(
        "Our own invalid files are rejected at the right position",
        arguments: SchemaFiles.files(in: "Tests/AcceptanceFixtures/invalid"))
    func ownInvalid(file: SchemaFiles.File) throws { try invalid(file: file) }
}

/// Whether a file has the format of an export, judged by its lines: all system fields in each type, no comments, sorted types and
/// fields, aligned data types, one grant per role.
private func looksExported(_ text: String) -> Bool {
    guard !text.contains("--"), !text.contains("//"), !text.contains("/*") else { return false }
    let types = text.split(separator: "    RECORD TYPE ").dropFirst()
    let names = types.map(bareName)
    return !names.isEmpty && names == names.sorted() && types.allSatisfy(looksExported)
}

private func looksExported(type: Substring) -> Bool {
    let items = type.split(separator: "\n").filter { $0.hasPrefix("        ") }
    let grants = items.filter { $0.contains(" GRANT ") }
    let fields = items.filter { !$0.contains(" GRANT ") }
    let names = fields.map(bareName)
    guard names.count(where: { $0.hasPrefix("___") }) == 6, names == names.sorted() else { return false }
    let spellings = fields.compactMap { $0.split(separator: " ").first?.count }
    let columns = fields.compactMap { line in line.dropFirst(8).split(separator: " ", maxSplits: 1).last }
        .map { $0.drop { $0 == " " }.startIndex }
    let starts = zip(fields, columns).map { line, column in line.distance(from: line.startIndex, to: column) }
    let roles = grants.map { $0.split(separator: " TO ").last?.filter { $0 != "," } ?? "" }
    return Set(starts) == [9 + (spellings.max() ?? 0)] && Set(roles).count == roles.count
        && roles.filter { $0.hasPrefix("\"_") } + roles.filter { !$0.hasPrefix("\"_") } == roles
}

/// The name declared on a line, without quotes.
private func bareName(_ line: Substring) -> String {
    let words = line.split(separator: " ")
    return words.first.map { String($0.filter { $0 != "\"" }) } ?? ""
}

private let expectedErrors: [String: (first: String, hint: String)] = [
    "01-bushelcloud.ckdb": ("Encountered \" <UNKNOWN> \"← \"\" at line 1, column 16.\n", "arrow"),
    "02-celestracloud.ckdb": ("Encountered \" <UNKNOWN> \". \"\" at line 4, column 5.\n", "Three dots"),
    "03-celestracloud.ckdb": (
        "Encountered \" <UNKNOWN> \"# \"\" at line 8, column 48.\n", "Comments begin with // or --"
    ),
    "04-mistkit.ckdb": (
        "Encountered \" <IDENTIFIER> \"DataType \"\" at line 4, column 18.\nWas expecting:\n    \"LIST\" ...\n",
        "Types are ASSET, BYTES, DOUBLE, INT64"
    ),
    "05-mistkit-old.ckdb": (
        "Encountered \" \"RECORD\" \"RECORD \"\" at line 1, column 1.\nWas expecting:\n    \"DEFINE\" ...\n",
        "begins with DEFINE SCHEMA"
    ),
    "06-mistkit-old.ckdb": (
        "Encountered \" \"RECORD\" \"RECORD \"\" at line 1, column 1.\nWas expecting:\n    \"DEFINE\" ...\n",
        "begins with DEFINE SCHEMA"
    ),
    "open-comment.ckdb": ("A comment is not closed at line 4, column 23.\n", "*/"),
    "undeclared-role.ckdb": ("Role keeper is not declared at line 7, column 52.\n", "CREATE ROLE keeper;"),
    "unknown-type.ckdb": (
        "Encountered \" <IDENTIFIER> \"DATE \"\" at line 6, column 23.\nWas expecting:\n    \"LIST\" ...\n", "TIMESTAMP"
    ),
]
