import Foundation
import NephosTesting
import Testing

extension TransferCommandTests {
    @Test("The separator of a table is the one of its first line", arguments: [",", ";", "\t"])
    func separators(_ separator: String) throws {
        let rows = [["recordName", "text", "amount"], ["a", "\"x,y;z\tw\"", "1.5"], ["b", "\"\"", "-2e3"]]
        try write(rows.map { $0.joined(separator: separator) + "\r\n" }.joined(), to: "table.csv")
        let imported = try run("records import \(Self.id) Plain FOLDER/table.csv")
        #expect(imported.errors == "2 records saved, 0 existed already.\n", "\(imported)")
        let found = try lines(try run("records export \(Self.id) Plain").output)
        #expect(found.map { $0["fields"]["text"]["value"] } == ["x,y;z\tw", ""])
        #expect(found.map { $0["fields"]["amount"]["value"].double } == [1.5, -2_000])
    }

    @Test("Another separator in a cell is text") func otherSeparators() throws {
        try write("recordName;text\na;x, y\tz\n", to: "table.csv")
        #expect(try run("records import \(Self.id) Plain FOLDER/table.csv").status == 0)
        let found = try lines(try run("records export \(Self.id) Plain").output)
        #expect(found.map { $0["fields"]["text"]["value"] } == ["x, y\tz"])
    }

    @Test(
        "The ending of a file says what it holds, unless --input does",
        arguments: [
            ("a.csv", "", "recordName,text\na,x\n"), ("a.CSV", "", "recordName,text\na,x\n"),
            ("a.txt", "--input csv", "recordName,text\na,x\n"),
            ("a.ndjson", "", #"{"recordName":"a","fields":{"text":{"value":"x"}}}"#),
            ("a.jsonl", "", #"{"recordName":"a","fields":{"text":{"value":"x"}}}"#),
            ("a.json", "", #"{"recordName":"a","fields":{"text":{"value":"x"}}}"#),
            ("a.csv", "--input ndjson", #"{"recordName":"a","fields":{"text":{"value":"x"}}}"#),
        ])
    func endings(_ file: String, _ option: String, _ text: String) throws {
        try write(text, to: file)
        let imported = try run("records import \(Self.id) Plain FOLDER/\(file) \(option)")
        #expect(imported.status == 0 && imported.errors == "1 record saved, 0 existed already.\n", "\(imported)")
        #expect(
            try run("records export \(Self.id) Plain --output csv --requested-fields text").output
                == "recordName,text\na,x\n")
    }

    @Test("A day is midnight in UTC, also before 1970, and a time is as exact as it was written") func days() throws {
        try write(
            """
            recordName,day
            a,2026-11-02
            b,2024-02-29
            c,1931-05-06
            d,1931-05-06T08:30:00Z
            e,2026-11-02T08:30:00.250Z

            """, to: "days.csv")
        #expect(try run("records import \(Self.id) Plain FOLDER/days.csv").status == 0)
        #expect(
            try run("records export \(Self.id) Plain --output csv --requested-fields day").output
                == """
                recordName,day
                a,2026-11-02T00:00:00.000Z
                b,2024-02-29T00:00:00.000Z
                c,-1219968000000
                d,-1219937400000
                e,2026-11-02T08:30:00.250Z

                """)
    }

    @Test(
        "A time has Z or an offset, as spreadsheets and programs write them",
        arguments: [
            "2026-11-02T08:30:00Z", "2026-11-02T09:30:00+01:00", "2026-11-02 09:30:00+01", "2026-11-02t08:30:00.000z",
            "2026-11-01T23:00:00.0009-0930",
        ])
    func offsets(_ time: String) throws {
        try write("recordName,day\na,\(time)\n", to: "times.csv")
        #expect(try run("records import \(Self.id) Plain FOLDER/times.csv").status == 0)
        #expect(
            try run("records export \(Self.id) Plain --output csv --requested-fields day").output
                == "recordName,day\na,2026-11-02T08:30:00.000Z\n")
    }

    @Test("A time typed for a field has an offset, a zone, or that of the machine; a day is one of the machine")
    func typed() throws {
        func stored(_ text: String) throws -> Int64? {
            let fields = #"{"day":{"type":"timestampType","value":"\#(text)"}}"#
            let created = try folder.run([
                "records", "create", Self.id, "--record-type", "Plain", "--record-name", text, "--fields-json", fields,
            ])
            #expect(created.status == 0, "\(created)")
            let found = try lines(try run("records export \(Self.id) Plain").output)
            return found.first { $0["recordName"].string == text }?["fields"]["day"]["value"].int64
        }
        for text in [
            "2026-11-02T08:30:00Z", "2026-11-02T09:30:00+01:00", "2026-11-02 09:30:00+01",
            "2026-11-02 09:30 Europe/Berlin",
        ] { #expect(try stored(text) == 1_793_608_200_000, "\(text)") }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .current
        for (text, hour, minute) in [("2026-07-02", 0, 0), ("2026-07-02 08:30", 8, 30), ("2026-07-02 08:30:00", 8, 30)]
        {
            let parts = DateComponents(year: 2026, month: 7, day: 2, hour: hour, minute: minute)
            let date = try #require(calendar.date(from: parts))
            #expect(try stored(text) == Int64(date.timeIntervalSince1970) * 1_000, "\(text)")
        }
    }

    @Test(
        "Empty rows and columns, and cells left out at the end of a row, are those of spreadsheets",
        arguments: [",", ";", "\t"])
    func empty(_ separator: String) throws {
        let table = """
            ,,,,
            recordName,,text,number, ,
            a,,x,1,,

            b,,y,,,
            c,,z
            ,,,,,
            d
            "","","","","",""
            ,,,,,

            """
        try write(table.replacing(",", with: separator).replacing("\n", with: "\r\n"), to: "sheet.csv")
        let imported = try run("records import \(Self.id) Plain FOLDER/sheet.csv")
        #expect(imported.errors == "4 records saved, 0 existed already.\n", "\(imported)")
        #expect(
            try run("records export \(Self.id) Plain --output csv --requested-fields text number").output
                == "recordName,text,number\na,x,1\nb,y,\nc,z,\nd,,\n")
    }

    @Test("With --update, a cell that is left out at the end of a row removes the value, as an empty one does")
    func shortRows() throws {
        try write("recordName,text,number\na,x,1\nb,y,2\n", to: "sheet.csv")
        #expect(try run("records import \(Self.id) Plain FOLDER/sheet.csv").status == 0)
        try write("recordName,text,number\na,x\nb,y,\n", to: "sheet.csv")
        let changed = try run("records import \(Self.id) Plain FOLDER/sheet.csv --update")
        #expect(changed.errors == "2 records saved, 0 unchanged.\n", "\(changed)")
        #expect(
            try run("records export \(Self.id) Plain --output csv --requested-fields text number").output
                == "recordName,text,number\na,x,\nb,y,\n")
    }

    @Test("A table in Latin-1 is refused with its line and what to do", arguments: [",", ";"])
    func latin1(_ separator: String) throws {
        let text = "recordName,text\na,x\nb,K\u{F6}ln\n".replacing(",", with: separator)
        let bytes = try #require(text.data(using: .isoLatin1))
        try bytes.write(to: URL(fileURLWithPath: folder.folder.path + "/latin.csv"))
        let result = try run("records import \(Self.id) Plain FOLDER/latin.csv")
        #expect(result.status == 1, "\(result)")
        #expect(result.errors.contains("Line 3 is not UTF-8. Save the file as CSV UTF-8."), "\(result)")
        #expect(try run("records export \(Self.id) Plain").output.isEmpty)
    }

    @Test("A file in place of the type is refused with the form that was meant; so is a name that no type can have")
    func forgottenType() throws {
        try write("recordName,text\na,x\n", to: "plain.csv")
        let forgotten = try run("records import \(Self.id) FOLDER/plain.csv")
        #expect(forgotten.status == 2, "\(forgotten)")
        #expect(forgotten.errors.contains("Pass the record type before it: nephos records import \(Self.id) TYPE "))
        #expect(try run("records import \(Self.id) FOLDER/plain.csv --input csv").errors == forgotten.errors)
        let unknown = try run("records import \(Self.id) no.csv")
        #expect(unknown.status == 1 && unknown.errors.contains("recordType must be 1 to 255 letters"), "\(unknown)")
    }

    @Test("A field that production lacks comes from development") func production() throws {
        try folder.nephos("schema", "deploy", Self.id)
        try write("recordName,color\na,b\n", to: "color.csv")
        let result = try run("records import \(Self.id) Plain FOLDER/color.csv --environment production")
        #expect(
            result.errors.contains(
                "Add it in development with nephos schema import, followed by nephos schema deploy, or remove the "
                    + "column."),
            "\(result)")
    }
}
