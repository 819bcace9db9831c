import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage
import RequestTesting
import Testing

@testable import NephosMessages

/// Editors' requests for messages.
extension MessageCloud {
    var store: any TenantStore { get throws { try #require(try cloud.engine.open(SmallCloud.tenant)) } }

    var settings: MessageSettings { get throws { try #require(try store.read(ReadSet()).catalog.messages()) } }

    func record(_ id: String) throws -> RecordRow {
        var set = ReadSet()
        set.records = [RecordKey(zone: .name(Messages.database, defaultZoneName), name: Name(id))]
        guard case .record(let record)? = try store.read(set).records.first else { throw Refusal.recordNotFound }
        return record
    }

    func message(_ id: String) throws -> Message {
        let record = try record(id)
        return try Message(record.name, fields: record.fields)
    }

    /// Lint's findings for a message, and what it could not determine.
    func lint(_ id: String) throws -> (findings: [MessageFinding], doubt: String?) {
        let message = try message(id)
        let lint = try MessageLint([message], settings, administration, store, now: now)
        return (lint.findings(message.id, .success(message)), lint.doubt)
    }

    /// The numbers of the store rules that a draft may violate, by language.
    func brokenRules(_ fields: [String: String], _ kind: MessageKind = .information) throws -> [String: [Int]] {
        #expect(try save("draft", Self.complete(kind, fields)) == "")
        var broken: [String: [Int]] = [:]
        for finding in try lint("draft").findings {
            if case .store(let number) = finding.rule { broken[finding.language, default: []].append(number) }
        }
        return broken
    }

    func preview(_ id: String, picture: MessagePicture? = nil) throws -> MessagePreview {
        try MessagePreview(message(id), settings, picture: picture)
    }
}
