import CloudKitWire
import NephosStorage

@testable import NephosDomain

/// Creates scans of queries on one record type, without an engine: type `Note` has a field of every kind, named after its tag in
/// lower case (`string`, `int64_list`), with all permissions that its kind can have.
struct QueryFixture {
    static let user = UserID(high: 7, low: 9)

    var catalog: Catalog
    var caller: Caller = .person(session(user))
    var scope = DatabaseScope.private

    /// - Parameter options: For every field, including system fields.
    init(options: FieldRow.Options = [.queryable, .sortable, .searchable], grants: [Int64: GrantRow.Rights] = [:]) {
        self.init(rows: Self.rows(options), grants: grants)
    }

    init(rows: [FieldRow], grants: [Int64: GrantRow.Rights] = [:]) {
        let tenant = Tenant(container: "iCloud.test", environment: .development)
        var all: [CatalogRow] = [.type(RecordTypeRow(number: 5, name: "Note"))]
        all += rows.map { .field($0) }
        all += grants.map { .grant(GrantRow(type: 5, role: $0.key, rights: $0.value)) }
        catalog = Catalog(
            head: CatalogHead(tenant: tenant, signingKey: .init(repeating: 1, count: 32), createdAt: 0), rows: all)
    }

    static func rows(_ options: FieldRow.Options) -> [FieldRow] {
        let plain = FieldType.allCases.filter { $0 != .unknownList }.map { kind in
            FieldRow(type: 5, name: Name(kind.tag.lowercased()), kind: kind, options: options, epoch: 3)
        }
        let system: [(Name, FieldType)] = [
            ("___recordID", .reference), ("___createTime", .timestamp), ("___modTime", .timestamp),
            ("___createdBy", .reference), ("___modifiedBy", .reference), ("___etag", .string),
        ]
        return plain + system.map { FieldRow(type: 5, name: $0.0, kind: $0.1, options: options) }
            + [FieldRow(type: 5, name: "secret", kind: .string, isEncrypted: true)]
    }

    static func session(_ user: UserID) -> SessionRow {
        SessionRow(
            id: .init(repeating: 2, count: 16), user: user, privateDatabase: 4, secret: .init(repeating: 3, count: 32),
            createdAt: 0, expiresAt: .max)
    }

    var context: RequestContext { RequestContext(catalog: catalog, caller: caller, scope: scope, now: 1) }

    /// The operation for a request body.
    func operation(_ body: String) throws -> QueryRecords {
        try QueryRecords(RecordsQueryRequest(json: Bytes(body)), context: context)
    }

    /// The scan of a query: `parts` is what follows `recordType` in it.
    func scan(_ parts: String, more: String = "") throws -> QueryScan {
        let query = "{\"query\":{\"recordType\":\"Note\"\(parts.isEmpty ? "" : ",")\(parts)}\(more)}"
        // In a zone that may not exist, what is wrong with a query is reported when the zone has been read.
        guard let scan = try operation(query).reading.queries.first else { throw NoScan() }
        return scan
    }

    private struct NoScan: Error {}

    /// The conditions of filters; each argument is the contents of a filter's braces.
    func conditions(_ filters: String...) throws -> [QueryCondition] {
        try scan("\"filterBy\":[\(filters.map { "{\($0)}" }.joined(separator: ","))]").conditions
    }

    /// The only test of a filter.
    func test(_ field: String, _ comparator: String, _ value: String) throws -> QueryCondition.Test {
        let conditions = try conditions(Self.filter(field, comparator, value))
        guard conditions.count == 1 else { throw NotOne(count: conditions.count) }
        return conditions[0].test
    }

    struct NotOne: Error { var count: Int }

    static func filter(_ field: String, _ comparator: String, _ value: String) -> String {
        "\"fieldName\":\"\(field)\",\"comparator\":\"\(comparator)\",\"fieldValue\":\(value),\"distance\":5"
    }

    /// Why a request is rejected; nil if it is not.
    func refusal(_ body: () throws -> Void) -> String? {
        do { try body() } catch let refusal as Refusal {
            return "\(refusal.serverErrorCode.rawValue): \(refusal.reason)"
        } catch let error as WireError {
            return "BAD_REQUEST: \(error.reason)"
        } catch { return "\(error)" }
        return nil
    }
}

/// A field of ``QueryFixture``, as named in conditions.
func field(_ kind: FieldType) -> RecordField { .field(Name(kind.tag.lowercased()), kind, epoch: 3) }
