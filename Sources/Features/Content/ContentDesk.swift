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
    ///
    /// - Parameter edits: Called once for each attempt.
    func change(
        _ name: String, of type: Name, _ edits: (RecordRow) throws -> [(field: Name, edit: FieldEdit)]
    ) async throws {
        for _ in 0..<Self.attemptsMax {
            let record = try record(name, of: type)
            let request = try ContentSave(
                name: name, type: type, tag: ChangeTag.text(of: record.tagSequence), edits: try edits(record)
            ).request
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

/// A change of some fields of a record.
struct ContentSave {
    let name: String
    let type: Name
    /// Of the record that it is about; nil for whatever there is.
    let tag: String?
    let edits: [(field: Name, edit: FieldEdit)]

    var request: RecordsModifyRequest {
        get throws(WireError) {
            var json = JSONWriter()
            json.beginObject()
            json.key("operations")
            json.beginArray()
            json.beginObject()
            json.member("operationType", (tag == nil ? RecordOperation.Kind.forceUpdate : .update).rawValue)
            json.key("record")
            json.beginObject()
            json.member("recordName", name)
            json.member("recordType", type)
            if let tag { json.member("recordChangeTag", tag) }
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
