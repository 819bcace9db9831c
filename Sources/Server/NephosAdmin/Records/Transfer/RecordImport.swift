import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

/// Saves records that an operator hands in, some at a time: those of one transaction all or none.
///
/// A record that is there already and says the same is passed over, so that an import which ended early goes on when it is run again. One that
/// names others which are not there yet waits until all else is saved.
struct RecordImport {
    /// Bytes of records of one transaction, but for one that has more.
    static let batchBytes = 1 << 20
    /// Bytes of records that wait for others.
    private static let waitingBytesMax = 64 << 20
    private static let attemptsMax = 8

    private let administration: Administration
    private let place: RecordPlace
    private let zoneName: String?
    private let type: Name
    private let updates: Bool

    private(set) var saved = 0
    /// Were there already.
    private(set) var same = 0
    private var waiting: [ImportedRecord] = []
    private var waitingBytes = 0

    /// - Parameter updates: Records that are there get the fields that are handed in; else they must have them already.
    init(
        _ administration: Administration, _ type: Name, in place: RecordPlace, zone zoneName: String?, updates: Bool
    ) {
        (self.administration, self.type, self.place) = (administration, type, place)
        (self.zoneName, self.updates) = (zoneName, updates)
    }

    /// Saves some of them, or has them wait.
    ///
    /// - Throws: ``Failure`` with the line of a record that cannot be saved; none of these are then, but for those of smaller transactions.
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

    /// Saves those that waited for others.
    mutating func finish() async throws {
        while !waiting.isEmpty {
            let records = waiting
            (waiting, waitingBytes) = ([], 0)
            for batch in records.batches { try await save(batch) }
            guard waiting.count < records.count else {
                throw Failure(
                    "Line \(waiting[0].line): record \(waiting[0].name.excerpt) refers to a record that does not exist. "
                        + "Import that record first; \(waiting.count) records wait for missing ones.")
            }
        }
    }

    // MARK: Steps

    /// What is to be saved, without the records that are there already.
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
                guard updates else {
                    throw Failure(
                        "Line \(record.line): record \(record.name.excerpt) already exists with other fields. "
                            + "Pass --update to replace them with those of the import.")
                }
            }
            try checkFiles(of: record, over: old)
            let save = RecordSave(
                name: record.name.text, type: type, old: old?.row, kind: .patch(record.fields), parent: record.parent)
            saves.append((record, save))
        }
        return saves
    }

    /// - Throws: ``Failure`` for a file that the record does not hold already: an import brings none.
    private func checkFiles(of record: ImportedRecord, over old: StoredRecord?) throws(Failure) {
        guard !record.patch.assets.isEmpty else { return }
        let held = Set(CanonicalFields.assets(in: old?.row.fields ?? CanonicalFields.empty).map(\.asset.address))
        for (place, asset) in CanonicalFields.assets(in: record.patch.set) where !held.contains(asset.address) {
            throw Failure(
                "Line \(record.line): the field \(place.field.excerpt) of record \(record.name.excerpt) holds a file, and "
                    + "an import contains no files. Leave the field out of the export with --requested-fields.")
        }
    }

    /// Has those wait that name others.
    ///
    /// - Returns: Their lines; nil where somebody else has changed records meanwhile, so that all is to be tried again.
    private mutating func waiting(
        for refused: RefusedOperations, of records: [ImportedRecord]
    ) throws -> Set<Int>? {
        var waits: [ImportedRecord] = []
        var isMoved = false
        for (place, refusal) in refused.refusals {
            let record = records[place]
            switch refusal {
            case .referenceViolation: waits.append(record)
            case .conflict, .recordExists, .recordNotFound: isMoved = true
            default: throw failure(refusal, of: record)
            }
        }
        if isMoved { return nil }
        waiting += waits
        waitingBytes += waits.reduce(0) { $0 + $1.bytes }
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
        json.zone(zone)
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
