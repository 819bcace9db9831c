import CloudKitWire
package import NephosDomain
package import NephosStorage

extension Administration {
    private static let changeAttemptsMax = 8

    /// Carries out each save independently in the public database. Returns the results in order; nil means success.
    package func carryOut(_ saves: [RecordSave], in tenant: Tenant) async throws -> [Refusal?] {
        var refusals: [Refusal?] = []
        for start in stride(from: 0, to: saves.count, by: RecordSave.most) {
            let request = try RecordSave.request(saves[start..<min(start + RecordSave.most, saves.count)])
            let place = RecordPlace(tenant: tenant, scope: .public, session: nil)
            refusals += try await modifyRecords(request, in: place).map { outcome in
                if case .refused(let refusal) = outcome { refusal } else { nil }
            }
        }
        return refusals
    }

    /// Carries out all saves in the public database, or none.
    ///
    /// - Parameter saves: ``RecordSave/most`` at most.
    /// - Throws: The ``NephosDomain/Refusal`` of the first save that is refused.
    package func carryOutTogether(_ saves: [RecordSave], in tenant: Tenant) async throws {
        do {
            let place = RecordPlace(tenant: tenant, scope: .public, session: nil)
            try await carryOutTogether(saves, in: place, zone: nil)
        } catch let refused as RefusedOperations {
            throw refused.refusals.first?.refusal ?? Refusal.failed
        }
    }

    /// Carries out all of them in one zone, or none.
    ///
    /// - Parameters:
    ///   - saves: ``RecordSave/most`` at most.
    ///   - zone: Of the private database; nil for the default zone.
    /// - Throws: ``RefusedOperations`` for those that are refused, and ``NephosDomain/Refusal`` where it is all of them.
    package func carryOutTogether(_ saves: [RecordSave], in place: RecordPlace, zone: String?) async throws {
        let request = try RecordSave.request(saves, zone: zone)
        let store = try store(place.tenant)
        for _ in 0..<Self.requestAttemptsMax {
            let context = try context(of: place, store)
            let catalog = context.catalog
            let operation = try ModifyRecords(request, context: context) { Name("") }
            do {
                _ = try await write(to: store, operation.reading) { reading in
                    guard reading.catalog.isSame(as: catalog) else { throw CatalogMoved(to: reading.catalog) }
                    return try operation.decide(reading).allOrNothing()
                }
                return
            } catch is CatalogMoved {
                continue
            }
        }
        throw AdminError.refused("The schema keeps changing. Try again.")
    }

    /// Changes a record based on its current value; retries with the new value if the record changes meanwhile.
    ///
    /// - Parameters:
    ///   - what: The record, for people.
    ///   - find: Reads the record, once per attempt; throws if it does not exist.
    ///   - save: Returns the change; nil leaves the record unchanged.
    /// - Returns: What was found, before the change.
    /// - Throws: ``Failure`` if the record keeps changing, and whatever `find`, `save` or the save itself throws.
    package func change<Found>(
        _ what: String, in tenant: Tenant, find: () throws -> Found, save: (Found) throws -> RecordSave?
    ) async throws -> Found {
        for _ in 0..<Self.changeAttemptsMax {
            let found = try find()
            guard let save = try save(found) else { return found }
            switch try await carryOut([save], in: tenant).first ?? nil {
            case nil: return found
            case .conflict?, .recordNotFound?: continue
            case let refusal?: throw refusal
            }
        }
        throw Failure("Others keep changing \(what); nothing was changed. Try again.")
    }
}
