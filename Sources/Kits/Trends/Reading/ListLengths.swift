import CloudKit

/// Counts the elements of a list.
struct ListLengths: Sendable {
    let records: PublicRecords
    let list: TrendsList

    /// - Parameter isKnown: Whether the field was present at an earlier check: then a missing list is empty. The service stores no
    ///   empty lists.
    func elements(isKnown: Bool) async throws -> Int {
        guard !list.field.isEmpty else { throw noField }
        var (sum, hasSeen, hasRecords) = (0, false, false)
        func add(_ record: CKRecord) throws {
            hasRecords = true
            guard let count = try count(record) else { return }
            (sum, hasSeen) = (sum + count, true)
        }
        switch list.choice {
        case .newest: if let record = try await records.newest(list.recordType, keys: [list.field]) { try add(record) }
        case .record(let name): try add(try await named(name))
        case .all:
            var pages = records.created(list.recordType, since: nil, keys: [list.field])
            while let page = try await pages.next() { for record in page { try add(record) } }
        }
        // Without records there are no elements, whatever the name of the field.
        guard hasSeen || isKnown || !hasRecords else { throw noField }
        return sum
    }

    private func named(_ name: String) async throws -> CKRecord {
        guard let record = try await records.named(name, keys: [list.field]) else {
            throw TrendsProblem(
                .noSuchRecord, "there is no record \(name) in the public database",
                "correct the name, or count the list of the newest record of \(list.recordType)")
        }
        guard record.recordType == list.recordType else {
            throw TrendsProblem(
                .noSuchRecord, "the record \(name) has type \(record.recordType), not \(list.recordType)",
                "correct one of the two")
        }
        return record
    }

    /// Nil if the record has no such field.
    private func count(_ record: CKRecord) throws -> Int? {
        guard let value = record.object(forKey: list.field) else { return nil }
        guard let elements = value as? [Any] else {
            throw TrendsProblem(
                .notAList, "\(list.field) of \(list.recordType) is not a list", "name a field that is a list")
        }
        return elements.count
    }

    private var noField: TrendsProblem {
        TrendsProblem(
            .noSuchField, "none of the records of \(list.recordType) has a field \(list.field)",
            "correct the name; if all lists are empty, this ends when one has an element")
    }
}
