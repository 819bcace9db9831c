import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

extension UseCase {
    static let exportRecords = UseCase(
        "records export", .reads, abstract: "Print all records of a type.",
        discussion: """
            ndjson has a line for each record, a record dictionary of CloudKit Web Services, and \
            carries every type of field; for a file it has the checksum and the size, not the \
            content. csv is a table for spreadsheets. It carries STRING, INT64, DOUBLE, TIMESTAMP \
            and BYTES (as base64), and refuses other fields by name. An empty cell is a field \
            without a value, "" an empty text.

            No index is needed. Records that are saved or deleted meanwhile may or may not be in it.

            Examples:

              nephos records export iCloud.com.example.app Article > articles.ndjson
              nephos records export iCloud.com.example.app Article --output csv \\
                --requested-fields title stars > articles.csv
            """,
        .transferPlace, .typeName, .requestedFields,
        Input<TransferFormat>.option("output", default: .ndjson, help: "ndjson or csv.")
    ) { call, source, type, fields, format in
        var pages = try call.administration.pages(
            of: Name(type), in: source.scope.place(in: source.tenant, call), zone: source.scope.zone?.name)
        let names = fields.map { Name($0) }
        _ = try pages.type.fields(named: names)
        let keys = fields.isEmpty ? nil : DesiredKeys(names)
        let table = try format == .csv ? CSVRecords(pages.type, fields: names) : nil
        if let table { try call.show(.bytes(table.head)) }
        var count = 0
        while let page = try pages.next() {
            var bytes: [UInt8] = []
            for record in page {
                bytes += try table?.line(of: record) ?? record.json(desiredKeys: keys) + [CSV.newline]
            }
            try call.show(.bytes(bytes))
            count += page.count
            call.progress("\(count) records")
        }
        call.progress("")
        return .note(count == 1 ? "1 record." : "\(count) records.")
    }

    static let importRecords = UseCase(
        "records import", .changes, abstract: "Save the records of an export or a table.",
        discussion: """
            A record that exists with the same fields is skipped: run an import that ended early \
            again, and it continues. A record with other fields ends the import, or, with \
            --update, gets the fields of the import; its other fields stay. 200 records are saved \
            at a time, all of them or none.

            A file that ends in .csv is read as csv, any other and standard input as ndjson, \
            unless --input is passed. ndjson has one record on each line. csv is UTF-8; its \
            first line names the columns: recordName, and fields of the type. They are separated \
            by commas, semicolons or tabs. A DOUBLE has a decimal point. A TIMESTAMP is a day \
            (midnight in UTC), or a time with Z or an offset: 2026-11-02, 2026-11-02T08:30:00Z, \
            2026-11-02T09:30:00+01:00. An empty cell is a field without a value, "" an empty text. \
            Empty rows, and columns that have neither a name nor a text, are skipped.

            A whole file is checked before anything is saved; standard input is checked as it \
            arrives. Records get new times, so trends count them as created now, and the person who imports them as their creator; \
            references are to records of the zone that is imported into. Files of records are not \
            imported: leave their fields out of the export.

            Examples:

              nephos records import iCloud.com.example.app Article articles.ndjson
              nephos records import iCloud.com.example.app Article articles.csv --update
            """,
        .transferPlace, .typeName,
        Input<InputFile?>.argument("file", help: "The file of records; standard input if omitted."),
        Input<TransferFormat?>.option(
            "input", help: "ndjson or csv. If omitted, csv for a file that ends in .csv, else ndjson."),
        .flag("update", help: "Change records that already exist.")
    ) { call, source, type, file, format, updates in
        let format = format ?? TransferFormat(ofFile: file?.path)
        let work = try ImportWork(call, source, Name(type), format, updates: updates)
        // A pipe can be read once.
        if let file, try call.opened(file).isRegular { try await work.check(file) }
        return try await work.run(file)
    }
}

enum TransferFormat: String, InputWord, CaseIterable {
    case ndjson, csv

    /// What the name of a file stands for.
    ///
    /// - Parameter path: nil for standard input.
    init(ofFile path: String?) { self = path?.lowercased().hasSuffix(".csv") == true ? .csv : .ndjson }
}

/// Where records are taken from, or brought.
struct TransferPlace: Sendable {
    let tenant: Tenant
    let scope: RecordScope
}

extension Input where Value == TransferPlace {
    static var transferPlace: Input {
        Input(.tenant, .recordScope) { tenant, scope throws(WrongInput) in
            if scope.database == .public, scope.session != nil {
                throw WrongInput("--session needs --database-type private.")
            }
            return TransferPlace(tenant: tenant, scope: scope)
        }
    }
}
