import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

/// Where the records are, who reads them, and how they are shown.
struct RecordSource: Sendable {
    enum Output: String, InputWord, CaseIterable { case json, table }

    let tenant: Tenant
    let scope: RecordScope
    let output: Output

    func place(_ call: any UseCaseCall) throws(Failure) -> RecordPlace { try scope.place(in: tenant, call) }

    func answer(_ record: FoundRecord, fields: [Name]?) -> UseCaseAnswer {
        let answer = RecordAnswer([record], fields: fields)
        return switch output {
        case .json: .bytes(record.json(desiredKeys: answer.desiredKeys) + [UInt8(ascii: "\n")])
        case .table: answer.table
        }
    }
}

/// Which database of a container, which zone of it, and who asks.
struct RecordScope: Sendable {
    enum DatabaseType: String, InputWord, CaseIterable { case `public`, `private`, shared }
    /// Where operators change records, too.
    enum OwnDatabase: String, InputWord, CaseIterable { case `public`, `private` }

    let database: DatabaseScope
    let zone: RecordZone?
    let session: InputFile?

    fileprivate init(_ database: DatabaseScope, _ zone: RecordZone?, _ session: InputFile?) throws(WrongInput) {
        if database != .public, session == nil {
            throw WrongInput(
                "The \(database.rawValue) database needs --session; create one with: nephos session create")
        }
        (self.database, self.zone, self.session) = (database, zone, session)
    }

    func place(in tenant: Tenant, _ call: any UseCaseCall) throws(Failure) -> RecordPlace {
        RecordPlace(
            tenant: tenant, scope: database,
            session: try session.map { file throws(Failure) in try call.webAuthToken(in: file) },
            sharedZone: zone?.shared)
    }
}

extension Input where Value == RecordScope {
    /// Of what is a person's own, or the container's.
    static var recordScope: Input {
        Input(
            Input<RecordScope.OwnDatabase>.option(
                "database-type", default: .public, help: "public or private; private needs --session."),
            .ownZone, .session
        ) { (database: RecordScope.OwnDatabase, zone: RecordZone?, session: InputFile?) throws(WrongInput) in
            try RecordScope(database == .public ? .public : .private, zone, session)
        }
    }

    /// The same, or of what others share with a person.
    fileprivate static var readScope: Input {
        Input(
            Input<RecordScope.DatabaseType>.option(
                "database-type", default: .public,
                help: "public, private or shared; the last two need --session."),
            .ownZone,
            Input<String?>.option(
                "zone-owner",
                help: "With --database-type shared: the user record name of the person whose zone it is."),
            .session
        ) {
            (database: RecordScope.DatabaseType, zone: RecordZone?, owner: String?, session: InputFile?)
                throws(WrongInput) in
            guard database == .shared else {
                if owner != nil { throw WrongInput("--zone-owner needs --database-type shared.") }
                return try RecordScope(database == .public ? .public : .private, zone, session)
            }
            guard let zone, let owner, let user = UserID(recordName: owner) else {
                throw WrongInput(
                    "The shared database needs --zone-name and --zone-owner, a user record name such as _0f3d…, as records have it in zoneID."
                )
            }
            return try RecordScope(.shared, RecordZone(name: zone.name, owner: user), session)
        }
    }
}

extension Input where Value == InputFile? {
    fileprivate static var session: Input {
        option("session", valueName: "file", help: "A file with a web auth token, to act as its person.")
    }
}

extension Input where Value == RecordZone? {
    fileprivate static var ownZone: Input {
        Input(
            Input<String?>.option("zone-name", help: "A custom zone of the database, instead of its default zone.")
        ) { name in name.map { RecordZone(name: $0) } }
    }
}

extension Input where Value == RecordSource {
    static var recordSource: Input { of(.recordScope) }
    static var readSource: Input { of(.readScope) }

    private static func of(_ scope: Input<RecordScope>) -> Input {
        Input(.tenant, scope, Input<RecordSource.Output>.option("output", default: .json, help: "json or table.")) {
            RecordSource(tenant: $0, scope: $1, output: $2)
        }
    }
}

/// The query to run.
struct QueryWords: Sendable {
    let recordType: String
    let filters: [String]
    let sorts: [String]

    func request(
        _ source: RecordSource, limit: Int, continuing token: String?
    ) throws(Failure) -> RecordsQueryRequest {
        guard limit > 0 else { throw Failure("--limit must be from 1 to 200, not \(limit).", kind: .wrongUsage) }
        var json = JSONWriter()
        json.beginObject()
        json.key("query")
        try write(to: &json)
        json.key("resultsLimit")
        json.int64(Int64(limit))
        if let token { json.member("continuationMarker", token) }
        json.zone(source.scope.zone)
        json.endObject()
        do { return try RecordsQueryRequest(json: json.bytes[...]) } catch {
            throw Failure(error.reason, kind: .wrongUsage)
        }
    }

    private func write(to json: inout JSONWriter) throws(Failure) {
        json.beginObject()
        json.member("recordType", recordType)
        json.key("filterBy")
        try FilterText.write(filters, to: &json)
        json.key("sortBy")
        json.beginArray()
        for text in sorts { try SortText(text).write(to: &json) }
        json.endArray()
        json.endObject()
    }
}

extension Input where Value == QueryWords {
    static var query: Input {
        Input(
            .recordType,
            Input<[String]>.option("filters", takesSeveral: true, help: "Conditions, all of which must hold."),
            Input<[String]>.option(
                "sort-by", takesSeveral: true,
                help: "The order: FIELD ASC or FIELD DESC, the most important first.")
        ) { QueryWords(recordType: $0, filters: $1, sorts: $2) }
    }
}

extension Input where Value == Int {
    static func limit(default standard: Int, help: String) -> Input {
        option("limit", default: standard, help: help).refusing("A limit must be at least 1.") { $0 > 0 }
    }
}

/// The source of the fields of a new record.
enum FieldsSource: Sendable {
    case text(String)
    case file(InputFile)
    case input

    func read(_ call: any UseCaseCall) throws(Failure) -> [UInt8] {
        switch self {
        case .text(let text): Array(text.utf8)
        case .file(let file): try call.contents(of: file)
        case .input: try call.input()
        }
    }
}

extension FieldsSource {
    /// - Returns: nil where none was typed.
    fileprivate init?(_ text: String?, _ file: InputFile?, _ isInput: Bool) throws(WrongInput) {
        switch (text, file, isInput) {
        case (let text?, nil, false): self = .text(text)
        case (nil, let file?, false): self = .file(file)
        case (nil, nil, true): self = .input
        case (nil, nil, false): return nil
        default: throw WrongInput("Pass one of --fields-json, --fields-file and --fields-stdin.")
        }
    }
}

extension Input where Value == FieldsSource? {
    fileprivate static var fieldsSource: Input {
        Input(
            Input<String?>.option("fields-json", help: "The fields as JSON."),
            Input<InputFile?>.option("fields-file", valueName: "file", help: "A file with the fields as JSON."),
            .flag("fields-stdin", help: "Read the fields from standard input.")
        ) { text, file, isInput throws(WrongInput) in try FieldsSource(text, file, isInput) }
    }
}

extension Input where Value == FieldsSource {
    static var fieldsSource: Input {
        Input(Input<FieldsSource?>.fieldsSource) { source throws(WrongInput) in
            guard let source else {
                throw WrongInput("Pass one of --fields-json, --fields-file and --fields-stdin.")
            }
            return source
        }
    }
}

/// What becomes of fields of a record that is there.
struct TypedFieldsEdit: Sendable {
    fileprivate let source: FieldsSource?
    /// The names of fields to remove.
    let removed: [String]

    /// As a request has them.
    func read(_ call: any UseCaseCall) throws -> Bytes {
        let set = try source.map { source in try FieldsText(source.read(call)).json } ?? Array("{}".utf8)
        var json = JSONWriter()
        json.beginObject()
        var names: Set<Name> = []
        var reader = try JSONReader(set[...])
        try reader.readObject { reader, key throws(WireError) in
            names.insert(key.name)
            json.key(named: key.name)
            json.raw(try reader.skipValue())
        }
        for name in removed {
            guard names.insert(Name(name)).inserted else {
                throw Failure("The field \(name) is named twice.", kind: .wrongUsage)
            }
            json.key(named: Name(name))
            json.raw(CanonicalFields.empty)
        }
        json.endObject()
        return json.bytes[...]
    }
}

extension Input where Value == TypedFieldsEdit {
    static var fieldsEdit: Input {
        Input(
            Input<FieldsSource?>.fieldsSource,
            Input<[String]>.option("remove", valueName: "field", takesSeveral: true, help: "Fields to remove.")
        ) { source, removed throws(WrongInput) in
            guard source != nil || !removed.isEmpty else {
                throw WrongInput("Pass one of --fields-json, --fields-file, --fields-stdin and --remove.")
            }
            return TypedFieldsEdit(source: source, removed: removed)
        }
    }
}
