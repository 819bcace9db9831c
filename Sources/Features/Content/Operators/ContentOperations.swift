import Audience
import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

/// The content of one environment, for operator commands.
struct ContentOperations: Sendable {
    private let call: any UseCaseCall
    let administration: Administration
    let tenant: Tenant
    let store: any TenantStore
    /// As of the creation of this value.
    let catalog: Catalog
    let settings: ContentSettings

    init(_ call: any UseCaseCall, _ tenant: Tenant) throws {
        self.call = call
        administration = try call.administration
        self.tenant = tenant
        store = try administration.store(tenant)
        catalog = try administration.read(store).catalog
        do throws(SectionFailure) { settings = try catalog.content() } catch {
            throw Failure("The content settings of \(tenant) cannot be read by this program: \(error)")
        }
    }

    /// The settings of a content type.
    func content(_ type: Name) throws -> ContentType {
        if let content = settings.types[type] { return content }
        _ = try self.type(type)
        throw Failure(
            "\(type.excerpt) of \(tenant) is not content: name it under content in the settings, or publish a record of it in development."
        )
    }

    /// The type in the schema.
    func type(_ name: Name) throws(AdminError) -> RecordType {
        guard let type = catalog.types[name] else { throw .noType(name, tenant) }
        return type
    }

    /// The audiences that records may name.
    func audiences() throws(Failure) -> AudienceBook {
        do throws(SectionFailure) { return try catalog.audiences() } catch {
            throw Failure("The audiences of \(tenant) cannot be read by this program: \(error)")
        }
    }

    /// The current record of a name; nil if there is none of the type.
    func find(_ name: String, of type: Name) throws -> RecordRow? {
        var set = ReadSet()
        set.records = [ContentAnswer.key(Name(name))]
        let reading = try administration.read(store, set)
        guard case .record(let record)? = reading.records.first, reading.catalog.type(record.type)?.row.name == type
        else { return nil }
        return record
    }

    /// - Throws: If there is none of the type.
    func record(_ name: String, of type: Name) throws -> RecordRow {
        if let record = try find(name, of: type) { return record }
        let all = call.command("content list \(tenant.asTyped) \(type.excerpt)")
        throw Failure(
            "There is no record \(name) of type \(type.excerpt) in the public database of \(tenant). See all with: \(all)"
        )
    }

    /// Changes fields of a record, keeping concurrent changes of other fields.
    ///
    /// - Parameter isNeeded: Whether the current record is changed at all.
    /// - Returns: The record before the change.
    @discardableResult
    func change(
        _ name: String, of type: Name, _ edits: [(field: Name, edit: FieldEdit)],
        if isNeeded: (RecordRow) -> Bool = { _ in true }
    ) async throws -> RecordRow {
        try await administration.change("\(type.excerpt) \(name)", in: tenant) {
            try record(name, of: type)
        } save: { record in
            isNeeded(record) ? RecordSave(name: name, type: type, old: record, kind: .edit(edits)) : nil
        }
    }
}

extension ContentOperations {
    /// - Parameter name: The name of a type; nil for all content types.
    func forEachRecord(
        named name: String?, _ body: (Name, RecordRow, ContentType, RecordType) -> Void
    ) throws {
        let types = try name.map { [Name($0): try content(Name($0))] } ?? settings.types
        for (name, content) in types.sorted(by: { $0.key < $1.key }) {
            guard let type = catalog.types[name] else { continue }
            try forEachRecord(of: type) { body(name, $0, content, type) }
        }
    }

    private func forEachRecord(of type: RecordType, _ body: (RecordRow) -> Void) throws(AdminError) {
        var position: NameScan.Position?
        repeat {
            guard let page = try administration.read(store, Content.page(of: type, after: position)).names.first else {
                return
            }
            page.records.forEach(body)
            position = page.next
        } while position != nil
    }
}

extension Content {
    /// A page of records of a type, ordered by name.
    static func page(of type: RecordType, after position: NameScan.Position?) -> ReadSet {
        var set = ReadSet()
        set.names = [
            NameScan(
                place: .database(database), type: type.row.number, after: position, limit: 200, byteLimit: 2 << 20)
        ]
        return set
    }
}
