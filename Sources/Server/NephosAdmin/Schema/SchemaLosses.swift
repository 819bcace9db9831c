import CloudKitSchema
import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

/// The stored data that a change of a schema loses: records of removed types, and values of removed fields. They stay on the disk, but
/// nothing shows them again, not even if the type or the field is added again (docs/protocol.md G4 to G6).
package struct SchemaLosses: Sendable, Equatable {
    package fileprivate(set) var all: [Loss] = []

    package struct Loss: Sendable, Equatable {
        /// What is removed.
        let words: String
        /// nil for a whole type.
        fileprivate let field: Name?
        /// Records of all databases that are lost, or lose a value.
        package fileprivate(set) var records = 0
        package fileprivate(set) var inPrivate = 0
        /// Deleted records that can be restored until then.
        package fileprivate(set) var inTrash = 0
    }

    package var isEmpty: Bool { all.isEmpty }
}

extension SchemaLosses: CustomStringConvertible {
    /// A line for each removed type and field with stored data.
    package var description: String { all.map { "  \($0)" }.joined(separator: "\n") }
}

extension SchemaLosses.Loss: CustomStringConvertible {
    /// `record type Note: 3 records, 1 of them in private databases, and 2 in the trash`
    package var description: String {
        let values = field == nil ? "" : "values in "
        var parts: [String] = []
        if records > 0 { parts.append("\(values)\(records) \(records == 1 ? "record" : "records")") }
        if inPrivate > 0 { parts.append("\(inPrivate) of them in private databases") }
        if inTrash > 0 {
            let start = records == 0 ? values : field == nil ? "and " : "and in "
            parts.append("\(start)\(inTrash) in the trash")
        }
        return "\(words): \(parts.joined(separator: ", "))"
    }
}

extension Administration {
    /// Deleted records that are read at once; each may have a megabyte.
    private static let trashPage = 50

    /// Counts the stored data that a change of a schema would lose, by reading all records of the types concerned. What is saved
    /// meanwhile may be counted or not.
    func losses(
        of difference: SchemaDifference, _ catalog: Catalog, in store: any TenantStore, _ progress: (Int) -> Void
    ) throws(AdminError) -> SchemaLosses {
        var byType: [Name: [SchemaLosses.Loss]] = [:]
        for change in difference.losses {
            switch change {
            case .recordTypeRemoved(let type):
                byType[type, default: []].append(SchemaLosses.Loss(words: "record type \(type)", field: nil))
            case .fieldRemoved(let field, let type):
                byType[type, default: []].append(Self.loss(of: field.name, type))
            case .dataTypeChanged(let field, _, _, let type):
                byType[type, default: []].append(Self.loss(of: field, type))
            default: break
            }
        }
        var count = 0
        var all = SchemaLosses()
        for (name, var losses) in byType.sorted(by: { $0.key < $1.key }) {
            guard let type = catalog.types[name] else { continue }
            func add(_ record: RecordRow, _ count: (inout SchemaLosses.Loss) -> Void) {
                let names =
                    losses.contains { $0.field != nil }
                    ? Set(CanonicalFields.names(in: record.liveFields(of: type))) : []
                for place in losses.indices where losses[place].field.map(names.contains) ?? true {
                    count(&losses[place])
                }
            }
            for database in 1...catalog.head.lastDatabase {
                let isPrivate = database > catalog.head.lanes
                try forEachRecord(of: type.row.number, in: database, of: store) { record in
                    add(record) { loss in
                        loss.records += 1
                        if isPrivate { loss.inPrivate += 1 }
                    }
                    count += 1
                    if count.isMultiple(of: 1_000) { progress(count) }
                }
                if isPrivate { continue }
                try forEachDeletedRecord(of: type.row.number, in: database, of: store) { record in
                    add(record) { $0.inTrash += 1 }
                }
            }
            all.all += losses.filter { $0.records + $0.inTrash > 0 }
        }
        return all
    }

    private static func loss(of field: Name, _ type: Name) -> SchemaLosses.Loss {
        SchemaLosses.Loss(words: "field \(field) of \(type)", field: field)
    }

    private func forEachDeletedRecord(
        of type: TypeNumber, in database: DatabaseNumber, of store: any TenantStore, _ body: (RecordRow) -> Void
    ) throws(AdminError) {
        var position: TrashRow.Position?
        repeat {
            let page = try rows(
                TrashRow.newest(in: database, type: type, after: position, limit: Self.trashPage), of: store)
            for row in page { body(row.record) }
            position = page.count < Self.trashPage ? nil : page.last?.position
        } while position != nil
    }
}
