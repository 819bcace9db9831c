import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

/// An import as a command runs it.
struct ImportWork {
    private let call: any UseCaseCall
    private let place: RecordPlace
    private let zone: String?
    private let type: Name
    private let format: TransferFormat
    private let updates: Bool
    private let reading: ImportReading
    private let csv: RecordType?

    init(
        _ call: any UseCaseCall, _ source: TransferPlace, _ type: Name, _ format: TransferFormat, updates: Bool
    ) throws {
        let administration = try call.administration
        let place = try source.scope.place(in: source.tenant, call)
        let store = try administration.store(place.tenant)
        let context = try administration.context(of: place, store)
        let known = context.catalog.types[type]
        if known == nil { try Self.checkNewType(type, call, place.tenant) }
        if format == .csv, known == nil { throw AdminError.noType(type, place.tenant) }
        (self.call, self.type, self.format, self.updates) = (call, type, format, updates)
        (self.place, zone) = (place, source.scope.zone?.name)
        csv = known
        reading = ImportReading(
            type: type, zone: context.references(in: zone.map { Name($0) } ?? defaultZoneName),
            known: known?.knownFields ?? [:])
    }

    /// - Throws: For a name that no type can have, which is often that of the file, with the type left out before it.
    private static func checkNewType(_ type: Name, _ call: any UseCaseCall, _ tenant: Tenant) throws {
        do throws(Refusal) { try NameRules.checkType(type) } catch {
            guard PathKind(type.text) == .file else { throw error }
            let form = call.command("records import \(tenant.asTyped) TYPE \(type)")
            throw Failure("\(type) is a file. Pass the record type before it: \(form)", kind: .wrongUsage)
        }
    }

    /// Reads all of it and saves nothing.
    func check(_ file: InputFile?) async throws {
        do {
            var records = try records(file)
            while try records.next() != nil {}
        } catch { throw ended(by: error, saved: 0) }
    }

    func run(_ file: InputFile?) async throws -> UseCaseAnswer {
        var work = RecordImport(
            try call.administration, type, in: place, zone: zone, updates: updates)
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
        } catch let record as ExistingRecord {
            call.progress("")
            throw Failure(
                "Line \(record.line): record \(record.name.excerpt) already exists with other fields. Pass --update to "
                    + "replace them with those of the import.\n\(Self.kept(work.saved))")
        } catch {
            throw ended(by: error, saved: work.saved)
        }
        call.progress("")
        let saved = work.saved == 1 ? "1 record saved" : "\(work.saved) records saved"
        return .note("\(saved), \(work.same) \(updates ? "unchanged" : "existed already").")
    }

    /// The failure of an import that ended early.
    private func ended(by error: any Error, saved: Int) -> any Error {
        call.progress("")
        guard let failure = Failure(error, proposing: call.command) else { return error }
        let skipped = saved == 0 ? "" : ": saved records are skipped"
        return Failure(
            "\(failure.text)\n\(Self.kept(saved)) Correct the input and import again\(skipped).", kind: failure.kind)
    }

    /// How much of an import that ended early is saved.
    private static func kept(_ saved: Int) -> String {
        switch saved {
        case 0: "No record was saved."
        case 1: "1 record was saved and stays."
        default: "\(saved) records were saved and stay."
        }
    }

    private func records(_ file: InputFile?) throws -> ImportSource {
        let pieces = try call.pieces(ofFileOrInput: file)
        guard format == .csv, let csv else { return ImportSource(.lines(InputLines(pieces), reading)) }
        let table = try CSVReader(pieces, csv, in: place.tenant.environment, reading)
        return ImportSource(.table(table))
    }
}
