import Foundation
import NephosCommands
import NephosTesting
import ServerTesting
import Testing

/// docs/running.md, "Exporting and importing records".
@Suite("Records as files: export and import") struct TransferCommandTests {
    static let id = DataFolder.container
    private static let copy = "iCloud.com.example.copy"
    private static let schema = """
        DEFINE SCHEMA
            RECORD TYPE Everything (
                text STRING, number INT64, amount DOUBLE, day TIMESTAMP, place LOCATION, data BYTES,
                other REFERENCE, secret ENCRYPTED STRING, texts LIST<STRING>, numbers LIST<INT64>,
                amounts LIST<DOUBLE>, days LIST<TIMESTAMP>, places LIST<LOCATION>, datas LIST<BYTES>,
                others LIST<REFERENCE>, secrets LIST<ENCRYPTED STRING>, photo ASSET,
                GRANT READ TO "_world"
            );
            RECORD TYPE Plain (
                text STRING, number INT64, amount DOUBLE, day TIMESTAMP, data BYTES, GRANT READ TO "_world"
            );

        """

    let folder: DataFolder

    init() throws { folder = try Self.prototype.get().copy() }

    /// Two containers with the same schema.
    private static let prototype = Result { try prototypeFolder() }

    private static func prototypeFolder() throws -> DataFolder {
        let folder = try DataFolder.prepared()
        try schema.write(toFile: folder.folder.path + "/all.ckdb", atomically: true, encoding: .utf8)
        try folder.nephos("container", "create", copy)
        for container in [id, copy] {
            try folder.nephos("schema", "import", container, folder.folder.path + "/all.ckdb")
        }
        return folder
    }

    /// Runs a command whose words have spaces between them.
    func run(_ line: String) throws -> Outcome { try folder.run(line.split(separator: " ").map(String.init)) }

    func write(_ text: String, to file: String) throws {
        try text.write(toFile: "\(folder.folder.path)/\(file)", atomically: true, encoding: .utf8)
    }

    private func create(_ name: String, _ type: String = "Everything", fields: String) throws {
        let result = try folder.run([
            "records", "create", Self.id, "--record-type", type, "--record-name", name, "--fields-json", fields,
        ])
        #expect(result.status == 0, "\(result)")
    }

    func lines(_ text: String) throws -> [JSON] {
        try text.split(separator: "\n").map { try JSON(parsing: String($0)) }
    }

    private static let everything = #"""
        {"text":{"value":"a \"b\"\n\u0000é"},"number":{"value":9223372036854775807},"amount":{"value":-0.5},
        "day":{"value":-1,"type":"TIMESTAMP"},
        "place":{"value":{"latitude":52.5,"longitude":-180,"altitude":3.5,"timestamp":1735689600123}},
        "data":{"value":"AAEC/w=="},"other":{"value":{"recordName":"b","action":"NONE"}},
        "texts":{"value":["","a"]},"numbers":{"value":[1,-1]},"amounts":{"value":[0.25,2]},
        "days":{"value":[0,1]},"places":{"value":[{"latitude":0.5,"longitude":0.5}]},"datas":{"value":["AA==",""]},
        "others":{"value":[{"recordName":"a","action":"VALIDATE"},{"recordName":"z","action":"DELETE_SELF"}]}}
        """#

    @Test("NDJSON transfers records with every type of field unchanged into another container")
    func everyType() throws {
        try create("a", fields: #"{"text":{"value":""}}"#)
        try create("z", fields: #"{"texts":{"value":[]}}"#)
        try create("b", fields: Self.everything)
        let export = try run("records export \(Self.id) Everything")
        #expect(export.status == 0 && export.errors == "3 records.\n", "\(export)")
        try write(export.output, to: "all.ndjson")
        let imported = try run("records import \(Self.copy) Everything FOLDER/all.ndjson")
        #expect(imported.status == 0 && imported.errors == "3 records saved, 0 existed already.\n", "\(imported)")
        let there = try run("records export \(Self.copy) Everything")
        let (before, after) = (try lines(export.output), try lines(there.output))
        #expect(before.count == 3 && after.count == 3)
        for (old, new) in zip(before, after) {
            #expect(old["recordName"] == new["recordName"] && old["fields"] == new["fields"], "\(new)")
            #expect(old["fields"].members.count >= 1)
        }
        #expect(before.map { $0["fields"].members.count }.max() == 14)
        let again = try run("records import \(Self.copy) Everything FOLDER/all.ndjson")
        #expect(again.status == 0 && again.errors == "0 records saved, 3 existed already.\n", "\(again)")
        let tags = try lines(try run("records export \(Self.copy) Everything").output).map { $0["recordChangeTag"] }
        #expect(tags == after.map { $0["recordChangeTag"] }, "nothing was saved again")
        #expect(try run("check").status == 0)
    }

    @Test("Imports many pages, including records whose references are further down") func pages() throws {
        let first =
            #"{"recordName":"r000","recordType":"Everything","fields":{"other":{"value":"#
            + #"{"recordName":"r449","action":"VALIDATE"}}},"parent":{"recordName":"r448"}}"#
        let others = (1..<450).map {
            String(format: #"{"recordName":"r%03d","fields":{"number":{"value":%d}}}"#, $0, $0)
        }
        try write(([first] + others).joined(separator: "\r\n\n"), to: "many")
        let imported = try run("records import \(Self.id) Everything FOLDER/many")
        #expect(imported.errors == "450 records saved, 0 existed already.\n", "\(imported)")
        let found = try lines(try run("records export \(Self.id) Everything --requested-fields number").output)
        #expect(found.map { $0["recordName"].string ?? "" } == (0..<450).map { String(format: "r%03d", $0) })
        #expect(found[0]["parent"]["recordName"] == "r448" && found[0]["fields"] == [:])
        #expect(found[449]["fields"]["number"]["value"] == 449)
    }

    @Test("CSV supports what spreadsheets produce, and survives a round trip") func table() throws {
        try create(
            "a", "Plain",
            fields:
                #"{"text":{"value":"x, \"y\"\nz"},"number":{"value":-3},"amount":{"value":0.1},"data":{"value":"AAEC/w=="},"#
                + #""day":{"value":1735689600123,"type":"TIMESTAMP"}}"#)
        try create("b", "Plain", fields: #"{"text":{"value":""}}"#)
        try create(
            "c", "Plain", fields: #"{"text":{"value":" é "},"day":{"value":-62135596800001,"type":"TIMESTAMP"}}"#)
        let csv = try run("records export \(Self.id) Plain --output csv")
        #expect(
            csv.output == """
                recordName,amount,data,day,number,text
                a,0.1,AAEC/w==,2025-01-01T00:00:00.123Z,-3,"x, ""y""
                z"
                b,,,,,""
                c,,,-62135596800001,," é "

                """, "\(csv)")
        try write(csv.output, to: "plain.csv")
        let imported = try run("records import \(Self.copy) Plain FOLDER/plain.csv --input csv")
        #expect(imported.errors == "3 records saved, 0 existed already.\n", "\(imported)")
        let (before, after) = (try run("records export \(Self.id) Plain"), try run("records export \(Self.copy) Plain"))
        #expect(try lines(before.output).map { $0["fields"] } == lines(after.output).map { $0["fields"] })
        #expect(
            try run("records export \(Self.id) Plain --output csv --requested-fields number").output
                == "recordName,number\na,-3\nb,\nc,\n")
    }

    @Test("With --update cells change fields, an empty one removes its field, and other fields stay") func update()
        throws
    {
        try create("a", "Plain", fields: #"{"text":{"value":"old"},"number":{"value":1},"amount":{"value":2.5}}"#)
        try write("\u{FEFF}recordName,number,text\r\na,,new\r\nb,7,\r\n", to: "change.csv")
        let refused = try run("records import \(Self.id) Plain FOLDER/change.csv --input csv")
        #expect(
            refused.status == 1
                && refused.errors.contains("Line 2: record a already exists with other fields. Pass --update"),
            "\(refused)"
        )
        #expect(refused.errors.hasSuffix("\nNo record was saved.\n"), "\(refused)")
        let changed = try run("records import \(Self.id) Plain FOLDER/change.csv --input csv --update")
        #expect(changed.errors == "2 records saved, 0 unchanged.\n", "\(changed)")
        #expect(
            try run("records export \(Self.id) Plain --output csv").output
                == "recordName,amount,data,day,number,text\na,2.5,,,,new\nb,,,,7,\n")
    }

    private static let longRow = "recordName,text\n" + String(repeating: ",", count: 300_000)
    private static let repeatedName = (0...300).map { #"{"recordName":"r\#($0 % 300)"}"# }.joined(separator: "\n")

    /// The format, the type, the input, and what the error says.
    private static let refusals: [(String, String, String, String)] = [
        (
            "csv", "Everything", "recordName,texts\na,b\n",
            "Line 1: CSV cannot carry the field 'texts' of type LIST<STRING>."
        ),
        (
            "csv", "Plain", "recordName,color\na,b\n",
            "Line 1: Plain has no field color. Add it with nephos schema import, or remove the column."
        ),
        (
            "csv", "Plain", "recordName;text,color\na;b\n", "Line 1: Plain has no field text,color."
        ),
        (
            "csv", "Plain", "recordName,___modTime\na,1\n",
            "Line 1: the server sets ___modTime itself. Remove the column."
        ),
        (
            "csv", "Plain", "text\na\n",
            "separated by commas, semicolons or tabs."
        ),
        ("csv", "Plain", "recordName,text,text\n", "Line 1: two columns have the same name: text."),
        (
            "csv", "Plain", "recordName,number\na,1\nb,\"2\n2\"\n",
            "Line 3: number is \"2?2\"; an INT64 is a whole number in digits, such as 1200."
        ),
        ("csv", "Plain", "recordName,number\na,1.0\n", "Line 2: number is \"1.0\"; an INT64 is a whole number"),
        ("csv", "Plain", "recordName,number\na,\"\"\n", "Line 2: number is \"\"; an INT64 is a whole number"),
        (
            "csv", "Plain", "recordName,number\na,-9223372036854775809\n",
            "an INT64 is from -9223372036854775808 to 9223372036854775807."
        ),
        (
            "csv", "Plain", "recordName,day\na,someday\n",
            "Line 2: day is \"someday\"; a TIMESTAMP is a day, or a time with Z or an offset: 2026-11-02, "
                + "2026-11-02T08:30:00Z or 2026-11-02T09:30:00+01:00."
        ),
        // Numbers that are no exported times, days that do not exist, and times of no zone.
        (
            "csv", "Plain", "recordName,day\na,20240101\n",
            "Line 2: day is \"20240101\"; a TIMESTAMP is a day, or a time"
        ),
        (
            "csv", "Plain", "recordName,day\na,2024-02-30T00:00:00Z\n",
            "Line 2: day is \"2024-02-30T00:00:00Z\"; there is no such day."
        ),
        (
            "csv", "Plain", "recordName,day\na,2023-02-29\n",
            "Line 2: day is \"2023-02-29\"; there is no such day."
        ),
        ("csv", "Plain", "recordName,day\na,2024-13-01\n", "Line 2: day is \"2024-13-01\"; a TIMESTAMP is a day"),
        ("csv", "Plain", "recordName,day\na,2024-01-01T00:00:00\n", "a TIMESTAMP is a day, or a time with Z"),
        ("csv", "Plain", "recordName,day\na,2024-01-01 00:00\n", "a TIMESTAMP is a day, or a time with Z"),
        ("csv", "Plain", "recordName,day\na,02.11.2026\n", "a TIMESTAMP is a day, or a time with Z"),
        (
            "csv", "Plain", "recordName,amount\na,0x10\n",
            "Line 2: amount is \"0x10\"; a DOUBLE is a number in digits with a decimal point, such as 1200.5."
        ),
        (
            "csv", "Plain", "recordName;amount\na;1,50\n",
            "Line 2: amount is \"1,50\"; a DOUBLE has a decimal point: 1.50."
        ),
        (
            "csv", "Plain", "recordName;amount\na;1.200,50\n",
            "Line 2: amount is \"1.200,50\"; a DOUBLE is a number in digits with a decimal point"
        ),
        ("csv", "Plain", longRow, "has more than 8 MiB"),
        (
            "csv", "Plain", "recordName,data\na,AA==\nb,?\n",
            "Line 3: data is \"?\"; BYTES are Base64, such as AAEC/w==."
        ),
        (
            "csv", "Plain", "recordName,text\na,b,c\n",
            "Line 2 has 3 cells; the first line names 2 columns. Put a text that contains a comma in quotes."
        ),
        (
            "csv", "Plain", "recordName\ttext\na\tb\tc\n",
            "Line 2 has 3 cells; the first line names 2 columns. Put a text that contains a tab in quotes."
        ),
        ("csv", "Plain", "recordName;text\na,b\n", "Line 2 has 1 cell; the first line names 2 columns.\n"),
        ("csv", "Plain", "recordName,text,,\na,b,,c\n", "Line 2 has 4 cells; the first line names 2 columns. Put"),
        (
            "csv", "Plain", "recordName,,text\na,,b\nb,c,\n",
            "Line 3: there is a text in column 2, which has no name in the first line. Name the column, or remove it."
        ),
        ("csv", "Plain", ",,\n,,\n", "there is no column recordName"),
        ("csv", "Plain", "recordName,text\n,b\n", "Line 2: recordName"),
        ("csv", "Plain", "recordName,text\na,b\nc,d\na,b\n", "Line 4: record a is already on line 2."),
        ("csv", "Plain", "recordName,text\na,\"b\n", "Line 2: a quote is not closed."),
        (
            "csv", "Plain", "recordName,text\na,\"b\"c\n",
            "Line 2: there is text after the quote that closes a cell."
        ),
        ("csv", "None", "recordName\n", "There is no record type None"),
        ("ndjson", "Plain", #"{"recordName":"a"}"# + "\n{\n", "Line 2 is not a record as JSON: "),
        (
            "ndjson", "Plain", "recordName,text\na,b\n",
            "ndjson has one record on each line; for a table, pass --input csv."
        ),
        ("ndjson", "Plain", repeatedName, "Line 301: record r0 is already on line 1. Remove one of the two."),
        ("ndjson", "Plain", #"{"fields":{}}"#, "Line 1: recordName is missing."),
        ("ndjson", "Plain", #"{"recordName":"_a"}"#, "Line 1: recordName must not start with '_'"),
        (
            "ndjson", "Plain", #"{"recordName":"a","recordType":"Other"}"#,
            "Line 1: record a is of the type Other, not Plain."
        ),
        (
            "ndjson", "Plain",
            #"{"recordName":"a"}"# + "\n" + #"{"recordName":"b","fields":{"number":{"value":"x"}}}"#, "Line 2: "
        ),
    ]

    @Test(
        "Unsupported or unreadable data is reported with its field and line, and nothing is saved", .onOneEngine,
        arguments: refusals)
    func refused(_ format: String, _ type: String, _ text: String, _ error: String) throws {
        try write(text, to: "bad")
        let result = try run("records import \(Self.id) \(type) FOLDER/bad --input \(format)")
        #expect(result.status == 1 && result.output.isEmpty && result.errors.contains(error), "\(result)")
        #expect(try run("records export \(Self.id) \(type)").output.isEmpty)
    }

    @Test("A pipe that the shell has opened is read once, and all of it is saved") func pipe() throws {
        let pipe = Pipe()
        try pipe.fileHandleForWriting.write(contentsOf: Data(#"{"recordName":"a"}\#n{"recordName":"b"}"#.utf8))
        try pipe.fileHandleForWriting.close()
        try withExtendedLifetime(pipe) {
            let path = "/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)"
            let imported = try run("records import \(Self.id) Plain \(path)")
            #expect(imported.errors.hasPrefix("2 records saved"), "\(imported)")
        }
    }

    @Test("An export as CSV rejects fields by name before it prints anything") func refusedExport() throws {
        let refused = try run("records export \(Self.id) Everything --output csv")
        #expect(refused.status == 2 && refused.output.isEmpty, "\(refused)")
        #expect(
            refused.errors.contains("CSV cannot carry the field 'amounts' of type LIST<DOUBLE>. Pass --output ndjson"))
        #expect(try run("records export \(Self.id) Everything --output csv --requested-fields text").status == 0)
        #expect(try run("records export \(Self.id) None").errors.contains("There is no record type None"))
    }

    @Test("An interrupted import reports how far it came, and continues when it is run again") func goesOn() throws {
        var lines = (0..<250).map { #"{"recordName":"r\#($0)","fields":{"number":{"value":\#($0)}}}"# }
        let good = lines[220]
        lines[220] = #"{"recordName":"r220","fields":{"number":{"value":"no"}}}"#
        func imported() -> CommandResult {
            let pieces = Pieces(lines.joined(separator: "\n"))
            return InProcessCommand.run(
                ["records", "import", Self.id, "Plain", "--data", folder.nephos.data], folder.store.environment,
                offering: nil
            ) { $0.inputPiece = { pieces.next() } }
        }
        let stopped = imported()
        #expect(stopped.status == 1 && stopped.errors.contains("Error: Line 221: "), "\(stopped)")
        #expect(stopped.errors.contains("\n200 records were saved and stay."), "\(stopped)")
        lines[220] = good
        #expect(imported().errors == "50 records saved, 200 existed already.\n")
    }

    @Test("A chain of records, each of which needs the next line, is saved from its end") func chain() throws {
        let count = 2_000
        func chain(_ name: String, last: Int?) -> String {
            (0..<count).map { place in
                let next = #""other":{"value":{"recordName":"\#(name)\#(place + 1)","action":"VALIDATE"}}"#
                return #"{"recordName":"\#(name)\#(place)","fields":{\#(place == last ? "" : next)}}"#
            }.joined(separator: "\n")
        }
        try write(chain("r", last: count - 1), to: "chain")
        let imported = try run("records import \(Self.id) Everything FOLDER/chain")
        #expect(imported.errors == "\(count) records saved, 0 existed already.\n", "\(imported)")
        try write(chain("s", last: nil), to: "broken")
        let broken = try run("records import \(Self.id) Everything FOLDER/broken")
        #expect(
            broken.status == 1 && broken.errors.contains("Line \(count): record s\(count - 1) refers to a record"),
            "\(broken)")
    }

    @Test("A record with a reference to a missing record is reported") func missing() throws {
        try write(
            #"{"recordName":"a","fields":{"other":{"value":{"recordName":"x","action":"VALIDATE"}}}}"# + "\n"
                + #"{"recordName":"b","fields":{}}"#, to: "lost")
        let result = try run("records import \(Self.id) Everything FOLDER/lost")
        #expect(
            result.status == 1 && result.errors.contains("Line 1: record a refers to a record that does not exist."),
            "\(result)")
        #expect(
            result.errors.contains(
                "\n1 record was saved and stays. Correct the input and import again: saved records are skipped."))
    }

    @Test("A record's file is not transferred, and the import reports that") func files() throws {
        let checksum = Data([1] + Array(repeating: 7, count: 32)).base64EncodedString()
        try write(
            #"{"recordName":"a","fields":{"photo":{"type":"ASSETID","value":{"fileChecksum":"\#(checksum)","size":3}}}}"#,
            to: "photo")
        let result = try run("records import \(Self.id) Everything FOLDER/photo")
        #expect(
            result.status == 1 && result.errors.contains("Line 1: the field photo of record a holds a file"),
            "\(result)")
        #expect(try run("records export \(Self.id) Everything").output.isEmpty)
    }

    @Test("The private database of a person is exported and imported with that person's session") func privateDatabase()
        throws
    {
        let mary = folder.folder.path + "/token"
        try writeSecret(mary, try folder.nephos("session", "create", Self.id, "mary@example.org"))
        let own = "--database-type private --session \(mary)"
        try write(
            #"{"recordName":"a","fields":{"other":{"value":{"recordName":"a","action":"NONE","zoneID":{"zoneName":"X"}}},"#
                + #""secret":{"value":"sh"},"secrets":{"value":["x","y"]}}}"#, to: "own")
        let imported = try run("records import \(Self.id) Everything FOLDER/own \(own)")
        #expect(imported.errors == "1 record saved, 0 existed already.\n", "\(imported)")
        let found = try lines(try run("records export \(Self.id) Everything \(own)").output)
        #expect(found.count == 1 && found[0]["zoneID"]["zoneName"] == "_defaultZone", "\(found)")
        #expect(found[0]["fields"]["secret"] == ["type": "STRING", "value": "sh", "isEncrypted": true], "\(found)")
        #expect(found[0]["fields"]["secrets"]["value"] == ["x", "y"])
        try write(found[0].description, to: "again")
        #expect(
            try run("records import \(Self.id) Everything FOLDER/again \(own)").errors
                == "0 records saved, 1 existed already.\n")
        #expect(try run("records export \(Self.id) Everything").output.isEmpty)
        #expect(try run("records export \(Self.id) Everything \(own) --zone-name Other").errors.contains("Other"))
        #expect(try run("records export \(Self.id) Everything --session \(mary)").status == 2)
        #expect(try run("records export \(Self.id) Everything --database-type private").status == 2)
    }
}

/// Hands out a text in small pieces.
private final class Pieces: @unchecked Sendable {
    private var rest: ArraySlice<UInt8>

    init(_ text: String) { rest = Array(text.utf8)[...] }

    func next() -> [UInt8] {
        defer { rest = rest.dropFirst(7) }
        return Array(rest.prefix(7))
    }
}
