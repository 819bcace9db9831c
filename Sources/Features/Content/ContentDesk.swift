import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

/// Content of one environment, as an operator meets it.
struct ContentDesk: Sendable {
    private static let attemptsMax = 8

    let administration: Administration
    let tenant: Tenant
    let store: any TenantStore
    /// As it was when this was made.
    let catalog: Catalog
    let settings: ContentSettings

    init(_ call: any UseCaseCall, _ tenant: Tenant) throws {
        administration = try call.administration
        self.tenant = tenant
        store = try administration.store(tenant)
        catalog = try administration.read(store).catalog
        do throws(SectionFailure) { settings = try catalog.content() } catch {
            throw Failure("The content settings of \(tenant) cannot be read by this program: \(error)")
        }
    }

    /// A type that is content.
    func content(_ type: Name) throws(Failure) -> ContentType {
        if let content = settings.types[type] { return content }
        throw Failure(
            "\(type.excerpt) of \(tenant) is no content: name it under content of the settings, or publish a record of it in development."
        )
    }

    /// The record of a name, as it is now.
    func record(_ name: String, of type: Name) throws -> RecordRow {
        var set = ReadSet()
        set.records = [RecordKey(zone: .name(Content.database, defaultZoneName), name: Name(name))]
        let reading = try administration.read(store, set)
        guard case .record(let record)? = reading.records.first,
            reading.catalog.type(record.type)?.row.name == type
        else {
            throw Failure("There is no record \(name) of type \(type.excerpt) in the public database of \(tenant).")
        }
        return record
    }

    /// Changes fields of a record by what it is; where somebody else changes it meanwhile, by what it is then.
    func change(_ name: String, of type: Name, _ edits: () -> [(field: Name, edit: FieldEdit)]) async throws {
        for _ in 0..<Self.attemptsMax {
            let request = try ContentSave(of: try record(name, of: type), type, edits()).request
            let place = RecordPlace(tenant: tenant, scope: .public, session: nil)
            switch try await administration.modifyRecords(request, in: place).first {
            case .refused(.conflict), .refused(.recordNotFound): continue
            case .refused(let refusal): throw refusal
            case .saved, .deleted, nil: return
            }
        }
        throw Failure("Somebody else keeps changing \(name); nothing was changed. Try again.")
    }
}

extension ContentDesk {
    func forEachRecord(of type: RecordType, _ body: (RecordRow) -> Void) throws(AdminError) {
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
    /// Some records of a type, by name.
    static func page(of type: RecordType, after position: NameScan.Position?) -> ReadSet {
        var set = ReadSet()
        set.names = [
            NameScan(
                place: .database(database), type: type.row.number, after: position, limit: 200, byteLimit: 2 << 20)
        ]
        return set
    }
}

/// A change of some fields of a record.
struct ContentSave {
    private let record: RecordRow
    private let type: Name
    private let edits: [(field: Name, edit: FieldEdit)]

    /// - Parameter record: As it was read: one that somebody changed since is not overwritten.
    init(of record: RecordRow, _ type: Name, _ edits: [(field: Name, edit: FieldEdit)]) {
        (self.record, self.type, self.edits) = (record, type, edits)
    }

    var request: RecordsModifyRequest {
        get throws(WireError) {
            var json = JSONWriter()
            json.beginObject()
            json.key("operations")
            json.beginArray()
            json.beginObject()
            json.member("operationType", RecordOperation.Kind.update.rawValue)
            json.key("record")
            json.beginObject()
            json.member("recordName", record.name)
            json.member("recordType", type)
            json.member("recordChangeTag", ChangeTag.text(of: record.tagSequence))
            json.key("fields")
            json.write(edits)
            json.endObject()
            json.endObject()
            json.endArray()
            json.endObject()
            return try RecordsModifyRequest(json: json.bytes[...])
        }
    }
}
