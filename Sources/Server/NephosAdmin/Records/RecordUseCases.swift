import CloudKitWire
import NephosDomain
package import NephosRunner
import NephosStorage

extension UseCaseGroup {
    package static let records = UseCaseGroup(
        "records", abstract: "Query, read, create, change and delete records.",
        discussion: """
            In the public database these commands act as the operator, who needs no grants. The private database of a person \
            needs a session of that person.
            """,
        [
            UseCase.queryRecords, UseCase.getRecord, UseCase.createRecord, UseCase.updateRecord,
            UseCase.deleteRecord,
            UseCase.exportRecords, UseCase.importRecords,
        ])
}

extension UseCase {
    fileprivate static let queryRecords = UseCase(
        "records query", .reads, abstract: "Print the records of a type that match filters.",
        discussion: """
            A filter is FIELD OPERATOR VALUE, without quotes around a text; several filters are arguments of their own, and all \
            must hold. Operators are EQUALS ==, NOT_EQUALS !=, LESS_THAN <, \
            LESS_THAN_OR_EQUALS <=, GREATER_THAN >, GREATER_THAN_OR_EQUALS >=, BEGINS_WITH, IN, LIST_CONTAINS and \
            the others of CloudKit. The type of a value is guessed: 6.1, 123, 2021-01-01, 40.71,-74.0 are DOUBLE, \
            INT64, TIMESTAMP and LOCATION, all else is STRING; stringType:2021-01-01 sets it.

            Examples:

              nephos records query iCloud.com.example.app --record-type Article
              nephos records query iCloud.com.example.app --record-type Article \\
                --filters "stars >= 3" "title BEGINS_WITH A" --sort-by "publishedAt DESC" --output table
            """,
        .readSource, .query, .requestedFields, .option("limit", default: 200, help: "The most records to print."),
        Input<String?>.option("continuation-token", help: "Continue where the last answer ended.")
    ) { call, source, query, fields, limit, token in
        let administration = try call.administration
        let place = try source.place(call)
        let request = try query.request(source, limit: limit, continuing: token)
        let fields = fields.map { Name($0) }
        try administration.checkFields(fields, of: request.query.recordType, in: place.tenant)
        let page = try await administration.queryRecords(request, in: place)
        let answer = RecordAnswer(page.records, fields: fields.isEmpty ? nil : fields)
        let doubt = page.records.isEmpty ? FilterText.doubt(query.filters) : nil
        switch source.output {
        case .json: return .bytes(answer.json(continuationToken: page.continuationToken)).noting(doubt)
        case .table:
            return answer.table
                .noting(page.continuationToken.map { "There is more: --continuation-token '\($0)'" })
                .noting(doubt)
        }
    }

    fileprivate static let getRecord = UseCase(
        "records get", .reads, abstract: "Print a record.",
        discussion: "Example:\n\n  nephos records get iCloud.com.example.app --record-name A1B2",
        .readSource, .recordName, .requestedFields
    ) { call, source, name, fields in
        let administration = try call.administration
        let place = try source.place(call)
        let record = try administration.record(named: name, zone: source.scope.zone, in: place)
        let fields = fields.map { Name($0) }
        try administration.checkFields(fields, of: record.record.type, in: place.tenant)
        return source.answer(record, fields: fields.isEmpty ? nil : fields)
    }

    fileprivate static let createRecord = UseCase(
        "records create", .changes, abstract: "Create a record and print it.",
        discussion: """
            Fields are JSON, {"title": {"type": "stringType", "value": "Hello"}}, with types of cktool or \
            of CloudKit Web Services. The type can be omitted.

            Example:

              nephos records create iCloud.com.example.app --record-type Article \\
                --fields-json '{"title": {"value": "Hello"}}'
            """,
        .recordSource, .recordType,
        Input<String?>.option("record-name", help: "The record's name; without it one is generated."), .fieldsSource
    ) { call, source, type, name, fields in
        let administration = try call.administration
        let place = try source.place(call)
        let text = try FieldsText(fields.read(call))
        let record = try await administration.createRecord(
            type: type, name: name, fields: text.json, zone: source.scope.zone, in: place)
        return source.answer(record, fields: nil)
    }

    fileprivate static let updateRecord = UseCase(
        "records update", .changes, abstract: "Change fields of a record and print it.",
        discussion: """
            Fields are JSON as for records create; other fields stay. With --if-tag nothing is \
            changed unless the record still has this recordChangeTag, so that changes made since \
            it was read are not lost.

            Examples:

              nephos records update iCloud.com.example.app --record-name A1B2 \\
                --fields-json '{"title": {"value": "Hello again"}}'
              nephos records update iCloud.com.example.app --record-name A1B2 \\
                --remove subtitle --if-tag 1a
            """,
        .recordSource, .recordName, .fieldsEdit,
        Input<String?>.option("if-tag", valueName: "tag", help: "Only if the record has this recordChangeTag.")
    ) { call, source, name, edit, tag in
        let administration = try call.administration
        let place = try source.place(call)
        let removed = edit.removed.map { Name($0) }
        if !removed.isEmpty {
            let old = try administration.record(named: name, zone: source.scope.zone, in: place)
            try administration.checkFields(removed, of: old.record.type, in: place.tenant)
        }
        let record = try await administration.updateRecord(
            named: name, fields: try edit.read(call), ifTag: tag, zone: source.scope.zone, in: place)
        return source.answer(record, fields: nil)
    }

    fileprivate static let deleteRecord = UseCase(
        "records delete", .destroys, abstract: "Delete a record.",
        discussion: """
            A record of the public database is kept in the trash for 30 days.

            Example:

              nephos records delete iCloud.com.example.app --record-name A1B2 --yes
            """,
        .recordSource, .recordName, .yes
    ) { call, source, name, isSure in
        let administration = try call.administration
        let place = try source.place(call)
        let container = place.tenant.container
        try call.confirm(
            "This deletes record \(name) of the \(place.scope.rawValue) database of \(place.tenant).",
            unless: isSure)
        try await administration.deleteRecord(named: name, zone: source.scope.zone, in: place)
        guard place.scope == .public else { return .note("Deleted \(name).") }
        return .note(
            "Deleted \(name). Restore it with: \(call.command("trash restore \(container) \(name)"))")
    }
}

extension Input where Value == String {
    static var recordType: Input { option("record-type", help: "The record type.") }
    fileprivate static var recordName: Input { option("record-name", help: "The record's name.") }
}

extension Input where Value == [String] {
    static var requestedFields: Input {
        option("requested-fields", takesSeveral: true, help: "Only these fields.")
    }
}
