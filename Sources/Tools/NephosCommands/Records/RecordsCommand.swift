import ArgumentParser
import CloudKitWire
import NephosAdmin
import NephosDomain
import NephosRunner
import NephosStorage

struct RecordsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "records", abstract: "Query, read, make and delete records.",
        discussion: """
            In the public database it runs as whoever runs the server, whom no grant holds back. The private database \
            of a person needs a session of theirs.
            """,
        subcommands: [Query.self, Get.self, Create.self, Delete.self])

    struct Query: AdministrationCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print the records of a type that pass filters.",
            discussion: """
                A filter is FIELD OPERATOR VALUE. Operators are EQUALS ==, NOT_EQUALS !=, LESS_THAN <, \
                LESS_THAN_OR_EQUALS <=, GREATER_THAN >, GREATER_THAN_OR_EQUALS >=, BEGINS_WITH, IN, LIST_CONTAINS and \
                the others of CloudKit. The type of a value is guessed: 6.1, 123, 2021-01-01, 40.71,-74.0 are DOUBLE, \
                INT64, TIMESTAMP and LOCATION, all else is STRING; stringType:2021-01-01 says it.

                Examples:

                  nephos records query iCloud.com.example.app --record-type Article
                  nephos records query iCloud.com.example.app --record-type Article --filters "stars >= 3" \
                --sort-by "publishedAt DESC" --output table
                """)

        @OptionGroup var place: RecordArguments
        @Option(help: "The record type.")
        var recordType: String
        @Option(parsing: .upToNextOption, help: "Conditions; all of them hold.")
        var filters: [String] = []
        @Option(parsing: .upToNextOption, help: "The order: FIELD ASC or FIELD DESC, the most important first.")
        var sortBy: [String] = []
        @Option(parsing: .upToNextOption, help: "Only these fields.")
        var requestedFields: [String] = []
        @Option(help: "Most records.")
        var limit: Int = 200
        @Option(help: "Go on where the last answer ended.")
        var continuationToken: String?
        @OptionGroup var data: DataOptions

        func run(_ administration: Administration) async throws {
            let page = try await administration.queryRecords(try request(), in: place.place)
            let keys = requestedFields.isEmpty ? nil : requestedFields.map { Name($0) }
            let answer = RecordAnswer(page.records, fields: keys)
            switch place.output {
            case .json: Terminal.answer(answer.json(continuationToken: page.continuationToken))
            case .table: Terminal.answer(answer.table)
            }
            if place.output == .table, let token = page.continuationToken {
                Terminal.note("There is more: --continuation-token '\(token)'")
            }
        }

        private func request() throws -> RecordsQueryRequest {
            var json = JSONWriter()
            json.beginObject()
            json.key("query")
            json.beginObject()
            json.member("recordType", recordType)
            json.key("filterBy")
            json.beginArray()
            for text in filters { try FilterText(text).write(to: &json) }
            json.endArray()
            json.key("sortBy")
            json.beginArray()
            for text in sortBy { try SortText(text).write(to: &json) }
            json.endArray()
            json.endObject()
            json.key("resultsLimit")
            json.int64(Int64(limit))
            if let continuationToken { json.member("continuationMarker", continuationToken) }
            place.writeZone(to: &json)
            json.endObject()
            do { return try RecordsQueryRequest(json: json.bytes[...]) } catch {
                throw Failure(error.reason, kind: .wrongUsage)
            }
        }
    }

    struct Get: AdministrationCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print a record.",
            discussion: "Example:\n\n  nephos records get iCloud.com.example.app --record-name A1B2")

        @OptionGroup var place: RecordArguments
        @Option(help: "The record's name.")
        var recordName: String
        @Option(parsing: .upToNextOption, help: "Only these fields.")
        var requestedFields: [String] = []
        @OptionGroup var data: DataOptions

        func run(_ administration: Administration) async throws {
            let record = try administration.record(named: recordName, zone: place.zoneName, in: place.place)
            let keys = requestedFields.isEmpty ? nil : requestedFields.map { Name($0) }
            place.show(record, fields: keys)
        }
    }

    struct Create: AdministrationCommand {
        static let configuration = CommandConfiguration(
            abstract: "Make a record and print it.",
            discussion: """
                Fields are JSON, {"title": {"type": "stringType", "value": "Hello"}}, with types of cktool or those \
                of CloudKit Web Services. The type may be left out.

                Example:

                  nephos records create iCloud.com.example.app --record-type Article \
                --fields-json '{"title": {"value": "Hello"}}'
                """)

        @OptionGroup var place: RecordArguments
        @Option(help: "The record type.")
        var recordType: String
        @Option(help: "The record's name; one is made up without it.")
        var recordName: String?
        @Option(help: "The fields.")
        var fieldsJson: String?
        @Option(help: ArgumentHelp("A file with the fields.", valueName: "file"))
        var fieldsFile: String?
        @Flag(help: "Read the fields from standard input.")
        var fieldsStdin = false
        @OptionGroup var data: DataOptions

        func validate() throws {
            let given = [fieldsJson != nil, fieldsFile != nil, fieldsStdin].count { $0 }
            guard given == 1 else {
                throw ValidationError("Say one of --fields-json, --fields-file and --fields-stdin.")
            }
        }

        func run(_ administration: Administration) async throws {
            let fields = try FieldsText(try input()).json
            let record = try await administration.createRecord(
                type: recordType, name: recordName, fields: fields, zone: place.zoneName, in: place.place)
            place.show(record, fields: nil)
        }

        private func input() throws(Failure) -> [UInt8] {
            if let fieldsJson { return Array(fieldsJson.utf8) }
            if let fieldsFile { return try TextFile(path: fieldsFile).read() }
            return Terminal.input()
        }
    }

    struct Delete: AdministrationCommand {
        static let configuration = CommandConfiguration(
            abstract: "Delete a record.",
            discussion: """
                Of the public database it goes to the trash for 30 days.

                Example:

                  nephos records delete iCloud.com.example.app --record-name A1B2 --yes
                """)

        @OptionGroup var place: RecordArguments
        @Option(help: "The record's name.")
        var recordName: String
        @OptionGroup var confirmation: Confirmation
        @OptionGroup var data: DataOptions

        func run(_ administration: Administration) async throws {
            try confirmation.require("This deletes record \(recordName) of \(place.container).")
            try await administration.deleteRecord(named: recordName, zone: place.zoneName, in: place.place)
            let isPublic = place.databaseType == .public
            let next = isPublic ? " Bring it back with: nephos trash restore \(place.container) \(recordName)" : ""
            Terminal.note("Deleted \(recordName).\(next)\(isPublic ? data.asWritten : "")")
        }
    }
}

/// Where records are, who asks, and how they are printed.
struct RecordArguments: ParsableArguments {
    enum DatabaseType: String, ExpressibleByArgument, CaseIterable { case `public`, `private` }
    enum Output: String, ExpressibleByArgument, CaseIterable { case json, table }

    @Argument(help: "The container's id.")
    var container: String
    @OptionGroup var environment: EnvironmentOption
    @Option(help: "public or private; private needs --session.")
    var databaseType: DatabaseType = .public
    @Option(help: "A custom zone of the private database; its default zone without it.")
    var zoneName: String?
    @Option(help: ArgumentHelp("A web auth token: ask as that person.", valueName: "token"))
    var session: String?
    @Option(help: "json or table.")
    var output: Output = .json

    func validate() throws {
        if databaseType == .private, session == nil {
            throw ValidationError("The private database needs --session; make one with: nephos session create")
        }
    }

    var place: RecordPlace {
        RecordPlace(
            tenant: environment.tenant(of: container), scope: databaseType == .public ? .public : .private,
            session: session)
    }

    func writeZone(to json: inout JSONWriter) {
        guard let zoneName else { return }
        json.key("zoneID")
        json.beginObject()
        json.member("zoneName", zoneName)
        json.endObject()
    }

    func show(_ record: FoundRecord, fields: [Name]?) {
        let answer = RecordAnswer([record], fields: fields)
        switch output {
        case .json: Terminal.answer(record.json(desiredKeys: answer.desiredKeys) + [UInt8(ascii: "\n")])
        case .table: Terminal.answer(answer.table)
        }
    }
}
