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
        var pages = try call.administration.pages(of: Name(type), in: source.place, zone: source.zoneName)
        let names = fields.map { Name($0) }
        let keys = fields.isEmpty ? nil : DesiredKeys(names)
        let table = try format == .csv ? CSVRecords(pages.type, fields: names) : nil
        if let table { try call.tell(.bytes(table.head)) }
        var count = 0
        while let page = try pages.next() {
            var bytes: [UInt8] = []
            for record in page {
                bytes += try table?.line(of: record) ?? record.json(desiredKeys: keys) + [CSV.newline]
            }
            try call.tell(.bytes(bytes))
            count += page.count
            call.progress("\(count) records")
        }
        call.progress("")
        return .note("\(count) records.")
    }

    static let importRecords = UseCase(
        "records import", .changes, abstract: "Save the records of an export.",
        discussion: """
            A record that already exists with the same fields is skipped: run an import that ended \
            early again, and it continues. A record with other fields ends the import, or, with \
            --update, gets the fields of the import; its other fields stay. 200 records are saved \
            at a time, all of them or none.

            A whole file is checked before anything is saved; standard input is checked as it \
            arrives. Records get new times, and the person who imports them as their creator; \
            references are to records of the zone that is imported into. Files of records are not \
            imported: leave their fields out of the export.

            Examples:

              nephos records import iCloud.com.example.app Article articles.ndjson
              nephos records import iCloud.com.example.app Article articles.csv \\
                --input csv --update
            """,
        .transferPlace, .typeName,
        Input<String?>.argument("file", help: "The file of records; standard input if omitted."),
        Input<TransferFormat>.option("input", default: .ndjson, help: "ndjson or csv."),
        .flag("update", help: "Change records that already exist.")
    ) { call, source, type, file, format, updates in
        let work = try ImportWork(call, source, Name(type), format, updates: updates)
        // A pipe can be read once.
        if let file, TextFile(path: file).isRegular { try await work.check(file) }
        return try await work.run(file)
    }
}

enum TransferFormat: String, InputWord, CaseIterable { case ndjson, csv }

/// Where records are taken from, or brought.
struct TransferPlace: Sendable {
    let place: RecordPlace
    let zoneName: String?
}

extension Input where Value == TransferPlace {
    static var transferPlace: Input {
        Input(.tenant, .recordScope) { tenant, scope throws(WrongInput) in
            if scope.database == .public, scope.session != nil {
                throw WrongInput("--session needs --database-type private.")
            }
            return TransferPlace(place: scope.place(in: tenant), zoneName: scope.zoneName)
        }
    }
}

/// An import as a command runs it.
private struct ImportWork {
    private let call: any UseCaseCall
    private let source: TransferPlace
    private let type: Name
    private let format: TransferFormat
    private let updates: Bool
    private let reading: ImportReading
    private let csv: RecordType?

    init(
        _ call: any UseCaseCall, _ source: TransferPlace, _ type: Name, _ format: TransferFormat, updates: Bool
    ) throws {
        let administration = try call.administration
        let store = try administration.store(source.place.tenant)
        let context = try administration.context(of: source.place, store)
        let known = context.catalog.types[type]
        if format == .csv, known == nil { throw AdminError.noType(type, source.place.tenant) }
        (self.call, self.source, self.type, self.format, self.updates) = (call, source, type, format, updates)
        csv = known
        reading = ImportReading(
            type: type, zone: context.references(in: source.zoneName.map { Name($0) } ?? defaultZoneName),
            known: known?.knownFields ?? [:])
    }

    /// Reads all of it and saves nothing.
    func check(_ file: String?) async throws {
        var records = try records(file)
        while try records.next() != nil {}
    }

    func run(_ file: String?) async throws -> UseCaseAnswer {
        var work = RecordImport(
            try call.administration, type, in: source.place, zone: source.zoneName, updates: updates)
        do {
            var records = try records(file)
            var (batch, bytes): ([ImportedRecord], Int) = ([], 0)
            while let record = try records.next() {
                batch.append(record)
                bytes += record.bytes
                guard batch.count == RecordSave.most || bytes > RecordImport.batchBytes else { continue }
                try await work.save(batch)
                (batch, bytes) = ([], 0)
                call.progress("\(work.saved + work.same) records")
            }
            try await work.save(batch)
            try await work.finish()
        } catch {
            call.progress("")
            guard let failure = Failure(error, proposing: call.command) else { throw error }
            throw Failure(
                "\(failure.text)\n\(work.saved) records were saved and stay. Correct the input and import again: saved records "
                    + "are skipped.", kind: failure.kind)
        }
        call.progress("")
        return .note("\(work.saved) records saved, \(work.same) existed already.")
    }

    private func records(_ file: String?) throws -> ImportSource {
        let pieces = try call.pieces(ofFileOrInput: file)
        guard format == .csv, let csv else { return .lines(InputLines(pieces), reading) }
        return .table(try CSVReader(pieces, csv, reading))
    }
}

/// Records of what is handed in, one after the other.
private enum ImportSource {
    case lines(InputLines, ImportReading)
    case table(CSVReader)

    /// nil at the end.
    mutating func next() throws(Failure) -> ImportedRecord? {
        switch self {
        case .lines(var lines, let reading):
            defer { self = .lines(lines, reading) }
            guard let (line, text) = try lines.next() else { return nil }
            return try reading.record(json: text, line: line)
        case .table(var reader):
            defer { self = .table(reader) }
            return try reader.next()
        }
    }
}
