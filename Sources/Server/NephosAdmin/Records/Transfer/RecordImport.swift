import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

/// Saves the records of an import in transactions of some hundred each.
///
/// A record that exists with the same fields is skipped, so an import that ended early continues when it is run again. A record that needs
/// others which do not exist yet waits until everything else is saved.
struct RecordImport {
    /// Bytes of the records of one transaction; a single record may have more.
    static let batchBytes = 1 << 20
    /// Bytes of memory for records that wait for others.
    private static let waitingBytesMax = 64 << 20
    private static let attemptsMax = 8

    private let administration: Administration
    private let place: RecordPlace
    private let zoneName: String?
    private let type: Name
    private let updates: Bool

    private(set) var saved = 0
    /// Records that existed already with the same fields.
    private(set) var same = 0
    private var waiting: [ImportedRecord] = []
    private var waitingBytes = 0

    /// - Parameter updates: Whether fields of existing records are changed; otherwise an existing record must have the same fields.
    init(
        _ administration: Administration, _ type: Name, in place: RecordPlace, zone zoneName: String?, updates: Bool
    ) {
        (self.administration, self.type, self.place) = (administration, type, place)
        (self.zoneName, self.updates) = (zoneName, updates)
    }

    /// Saves records. Those that need others which do not exist yet wait for ``finish()``.
    ///
    /// - Throws: ``Failure`` with the line of a record that cannot be saved. None of the records are saved then, except where they were
    ///   too large for one transaction. ``ExistingRecord`` for one that has other fields and may not be changed.
    mutating func save(_ records: [ImportedRecord]) async throws {
        var left = records
        for _ in 0..<Self.attemptsMax {
            let saves = try saves(of: left)
            guard !saves.isEmpty else {
                same += left.count
                return
            }
            do {
                try await administration.carryOutTogether(saves.map(\.save), in: place, zone: zoneName)
                saved += saves.count
                same += left.count - saves.count
                return
            } catch let refused as RefusedOperations {
                guard let waits = try waiting(for: refused, of: saves.map(\.record)) else { continue }
                left.removeAll { record in waits.contains(record.line) }
            } catch let refusal as Refusal {
                guard case .limitExceeded = refusal, left.count > 1 else { throw failure(refusal, of: left.first) }
                // Each half is a transaction of its own.
                try await save(Array(left.prefix(left.count / 2)))
                return try await save(Array(left.dropFirst(left.count / 2)))
            }
        }
        throw failure(.tryAgainLater("others keep changing the same records", seconds: 1), of: left.first)
    }

    /// Saves the records that waited for others.
    ///
    /// - Throws: ``Failure`` with the line of a record that needs one which does not exist.
    mutating func finish() async throws {
        while !waiting.isEmpty {
            let records = waiting.orderedByNeed
            (waiting, waitingBytes) = ([], 0)
            for batch in records.batches { try await save(batch) }
            guard waiting.count < records.count else {
                throw Failure(
                    "Line \(waiting[0].line): record \(waiting[0].name.excerpt) refers to a record that does not exist. "
                        + "Import that record first; \(waiting.count == 1 ? "1 record waits" : "\(waiting.count) records wait") "
                        + "for missing ones.")
            }
        }
    }

    // MARK: Steps

    /// The records to save: those that do not exist with the same fields.
    private func saves(of records: [ImportedRecord]) throws -> [(record: ImportedRecord, save: RecordSave)] {
        let old = try administration.stored(records.map(\.name), in: place, zone: zoneName)
        var saves: [(ImportedRecord, RecordSave)] = []
        for (record, old) in zip(records, old) {
            if let old {
                guard old.type == type else {
                    throw Failure(
                        "Line \(record.line): record \(record.name.excerpt) already exists with the type \(old.type.excerpt)."
                    )
                }
                let fields = CanonicalFields.merge(stored: old.row.fields, patch: record.patch)
                if fields == old.row.fields, record.parent == nil || record.parent == old.row.parent { continue }
                guard updates else { throw ExistingRecord(line: record.line, name: record.name) }
            }
            try checkFiles(of: record, over: old)
            let save = RecordSave(
                name: record.name.text, type: type, old: old?.row, kind: .patch(record.fields), parent: record.parent)
            saves.append((record, save))
        }
        return saves
    }

    /// - Throws: ``Failure`` for a file that the record does not have already, because an import contains no files.
    private func checkFiles(of record: ImportedRecord, over old: StoredRecord?) throws(Failure) {
        guard !record.patch.assets.isEmpty else { return }
        let held = Set(CanonicalFields.assets(in: old?.row.fields ?? CanonicalFields.empty).map(\.asset.address))
        for (place, asset) in CanonicalFields.assets(in: record.patch.set) where !held.contains(asset.address) {
            throw Failure(
                "Line \(record.line): the field \(place.field.excerpt) of record \(record.name.excerpt) holds a file, and "
                    + "an import contains no files. Leave the field out of the export with --requested-fields.")
        }
    }

    /// Moves the records that need others to those that wait, with the records that need them.
    ///
    /// - Returns: Their lines; nil if records changed in the meantime, so that everything is to be tried again.
    private mutating func waiting(
        for refused: RefusedOperations, of records: [ImportedRecord]
    ) throws -> Set<Int>? {
        var names: [Name] = []
        var isMoved = false
        for (place, refusal) in refused.refusals {
            let record = records[place]
            switch refusal {
            case .referenceViolation: names.append(record.name)
            case .conflict, .recordExists, .recordNotFound: isMoved = true
            default: throw failure(refusal, of: record)
            }
        }
        if isMoved { return nil }
        let waits = records.dependencyClosure(of: names)
        waiting += waits
        waitingBytes += waits.reduce(0) { $0 + $1.memory }
        guard waitingBytes <= Self.waitingBytesMax else {
            throw Failure(
                "Line \(waits[0].line): too many records refer to records that do not exist yet. Import those first.")
        }
        return Set(waits.map(\.line))
    }

    private func failure(_ refusal: Refusal, of record: ImportedRecord?) -> any Error {
        guard let record else { return refusal }
        return Failure("Line \(record.line): record \(record.name.excerpt): \(refusal.reason)")
    }
}

/// A record that exists with other fields than those of the import, which does not change records.
struct ExistingRecord: Error {
    let line: Int
    let name: Name
}

extension [ImportedRecord] {
    /// As many as one transaction takes.
    var batches: [[ImportedRecord]] {
        var batches: [[ImportedRecord]] = [[]]
        var bytes = 0
        for record in self {
            if batches[batches.count - 1].count == RecordSave.most || bytes > RecordImport.batchBytes {
                batches.append([])
                bytes = 0
            }
            batches[batches.count - 1].append(record)
            bytes += record.bytes
        }
        return batches
    }
}

extension Administration {
    /// Records by name; nil for each that is not there.
    ///
    /// - Parameter zone: nil for the default zone.
    func stored(_ names: [Name], in place: RecordPlace, zone: String?) throws -> [StoredRecord?] {
        var json = JSONWriter()
        json.beginObject()
        json.key("records")
        json.beginArray()
        for name in names {
            json.beginObject()
            json.member("recordName", name)
            json.endObject()
        }
        json.endArray()
        json.zone(zone.map { RecordZone(name: $0) })
        json.endObject()
        let store = try store(place.tenant)
        let request = try RecordsLookupRequest(json: json.bytes[...])
        let lookup = try LookupRecords(request, context: try context(of: place, store))
        return try lookup.answer(try store.read(lookup.reading)).items.map { item in
            switch item {
            case .success(let record): record
            case .failure(.recordNotFound): nil
            case .failure(let refusal): throw refusal
            }
        }
    }
}
