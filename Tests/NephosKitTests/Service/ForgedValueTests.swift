import Foundation
import NephosTesting
import Testing

@testable import NephosKit
@testable import NephosTransport

/// A server that stores encrypted values and returns them otherwise (docs/client.md, "Encrypted values").
@Suite("Whoever stores encrypted values cannot forge or exchange them", .serialized) struct ForgedValueTests {
    /// A server in the hands of somebody else: it stores what one device saves, and returns what the test wants.
    private final class HostileServer: Sendable {
        /// Its response to every request for records.
        let answer = LockedBox<JSON>(["records": []])
        private let stored = LockedBox<[JSON]>([])
        /// A device with the passphrase, which derives its key once.
        private let device = LockedBox<CKContainer?>(nil)

        func container(_ settings: NephosConfiguration, container: String = "iCloud.org.example.Test") -> CKContainer {
            let transport = ScriptedTransport.signedIn { [self] request in
                guard request.path == "records/modify" else { return .json(answer.value.description) }
                let sent =
                    (try? JSON(reading: [UInt8](request.bytes))["operations"].elements.map { $0["record"] }) ?? []
                stored.withLock { $0 += sent }
                let saved = sent.map { ["recordName": $0["recordName"], "recordType": $0["recordType"]] as JSON }
                return .json((["records": .array(saved)] as JSON).description)
            }
            let service = Service(container: container, configuration: .success(settings), transport: transport)
            return CKContainer(ContainerCore(service), OperationDefaults())
        }

        var person: CKContainer {
            device.withLock { device in
                let made = device ?? container(.sealing)
                device = made
                return made
            }
        }

        /// Saves a record with the encrypted fields `text` and `other`.
        ///
        /// - Returns: The record as the server stores it.
        func saved(
            _ text: String = "hidden words", type: String = "Secret", name: String = "a",
            zone: CKRecordZone.ID = ForgedValueTests.zone, on container: CKContainer? = nil
        ) async throws -> JSON {
            let record = CKRecord(recordType: type, recordID: CKRecord.ID(recordName: name, zoneID: zone))
            record.encryptedValues["text"] = text
            record.encryptedValues["other"] = "other hidden words"
            try await (container ?? person).privateCloudDatabase.save(record)
            return try #require(stored.value.last)
        }

        /// Looks a record up, while the server returns `records`.
        func fetched(
            _ records: JSON..., name: String = "a", zone: CKRecordZone.ID = ForgedValueTests.zone,
            scope: CKDatabase.Scope = .private, on container: CKContainer? = nil
        ) async throws -> CKRecord {
            answer.withLock { $0 = ["records": .array(records)] }
            return try await (container ?? person).database(with: scope)
                .record(for: CKRecord.ID(recordName: name, zoneID: zone))
        }
    }

    private static let zone = CKRecordZone.ID(zoneName: "Z")
    private static let server = HostileServer()
    private var server: HostileServer { Self.server }

    /// The value of a field as the server could write it.
    private static func plain(_ value: JSON, _ type: String = "STRING") -> JSON {
        ["value": value, "type": .string(type), "isEncrypted": true]
    }

    private static func changed(_ record: JSON, _ field: String = "text", _ change: (String) -> String) -> JSON {
        var record = record
        let place: [JSON.Step] = [.member("fields"), .member(field), .member("value")]
        record[at: place] = .string(change(record[at: place].string ?? ""))
        return record
    }

    /// The record with a plain value in place of the sealed one.
    private static func opened(_ record: JSON) -> JSON {
        var record = record
        record[at: [.member("fields"), .member("text")]] = ["value": "forged", "type": "STRING"]
        return record
    }

    private static func with(_ record: JSON, _ members: [String: JSON]) -> JSON {
        var record = record
        for (name, value) in members { record[name] = value }
        return record
    }

    /// The record must fail by itself, with an error that contains none of its values.
    private func expectRefused(
        _ what: String, _ code: CKError.Code = .invalidArguments, _ fetch: () async throws -> CKRecord
    ) async {
        do {
            let record = try await fetch()
            Issue.record("\(what): it was read as \(record.encryptedValues["text"] as? String ?? "-")")
        } catch {
            let error = error as? CKError
            #expect(error?.code == code, "\(what): \(String(describing: error))")
            let words = "\(error?.localizedDescription ?? "") \(error?.userInfo ?? [:])"
            #expect(!words.contains("forged") && !words.contains("hidden words"), "\(what): \(words)")
        }
    }

    @Test("What a device has sealed is read, however the owner's zone is spelled")
    func honest() async throws {
        let stored = try await server.saved()
        #expect(stored.description.contains("nephos2.") && !stored.description.contains("hidden"))
        #expect(try await server.fetched(stored).encryptedValues["text"] == "hidden words")
        let zone: JSON = ["zoneName": "Z", "ownerRecordName": "_me"]
        let named = try await server.fetched(Self.with(stored, ["zoneID": zone]))
        #expect(named.encryptedValues["text"] == "hidden words" && named.recordID.zoneID == Self.zone)
        let own = CKRecordZone.ID(zoneName: "Z", ownerName: "_me")
        #expect(try await server.fetched(stored, zone: own).encryptedValues["text"] == "hidden words")
        let other = try await server.saved(name: "a", zone: own)
        #expect(try await server.fetched(other).encryptedValues["text"] == "hidden words")
    }

    @Test("A value without the seal, or with a broken one, is an error of its record")
    func unsealed() async throws {
        let stored = try await server.saved()
        let sealed = stored["fields"]["text"]["value"].string ?? ""
        let rows: [(String, JSON)] = [
            ("the prefix is stripped", Self.changed(stored) { String($0.dropFirst("nephos2.".count)) }),
            ("another prefix", Self.changed(stored) { "nephos1." + $0.dropFirst("nephos2.".count) }),
            ("a prefix in capitals", Self.changed(stored) { "NEPHOS2." + $0.dropFirst("nephos2.".count) }),
            ("an accent on the prefix", Self.changed(stored) { "nephos2.\u{301}" + $0.dropFirst("nephos2.".count) }),
            ("a space before the prefix", Self.changed(stored) { " \($0)" }),
            ("a plain text", Self.changed(stored) { _ in "forged" }),
            ("an empty text", Self.changed(stored) { _ in "" }),
            ("the prefix alone", Self.changed(stored) { _ in "nephos2." }),
            ("no base64", Self.changed(stored) { _ in "nephos2.forged!" }),
            ("cut off", Self.changed(stored) { String($0.dropLast(4)) }),
            ("cut to the nonce", Self.changed(stored) { String($0.prefix("nephos2.".count + 16)) }),
            ("longer", Self.changed(stored) { $0 + "AAAA" }),
            (
                "one bit",
                Self.changed(stored) { text in
                    let last = text.dropLast(3).last == "A" ? "B" : "A"
                    return text.dropLast(4) + last + text.suffix(3)
                }
            ),
            ("twice", Self.changed(stored) { $0 + $0 }),
        ]
        for (what, record) in rows { await expectRefused(what) { try await server.fetched(record) } }
        let values: [(String, JSON)] = [
            ("a number", Self.plain(7, "INT64")), ("a number of no type", ["value": 7, "isEncrypted": true]),
            ("a date", Self.plain(7, "TIMESTAMP")), ("bytes", Self.plain("Zm9yZ2Vk", "BYTES")),
            ("a list", Self.plain(["forged"], "STRING_LIST")), ("an empty list", Self.plain([], "STRING_LIST")),
            ("a list of the sealed value", Self.plain([.string(sealed)], "STRING_LIST")),
            ("a place", Self.plain(["latitude": 1, "longitude": 2], "LOCATION")),
            ("a reference", Self.plain(["recordName": "b"], "REFERENCE")),
            (
                "the flag first",
                .object([.init("isEncrypted", true), .init("value", "forged"), .init("type", "STRING")])
            ),
        ]
        for (what, value) in values {
            var record = stored
            record[at: [.member("fields"), .member("text")]] = value
            await expectRefused(what) { try await server.fetched(record) }
        }
    }

    @Test("A sealed value of another field, record, type, zone, database or owner is an error")
    func moved() async throws {
        let (stored, second) = (try await server.saved(), try await server.saved(name: "b"))
        var swapped = stored
        swapped[at: [.member("fields"), .member("text")]] = stored["fields"]["other"]
        await expectRefused("another field") { try await server.fetched(swapped) }
        await expectRefused("another record") {
            try await server.fetched(Self.with(stored, ["fields": second["fields"]]))
        }
        await expectRefused("another record's name") {
            try await server.fetched(Self.with(stored, ["recordName": "b"]), name: "b")
        }
        await expectRefused("another type") {
            try await server.fetched(Self.with(stored, ["recordType": "Note"]))
        }
        // Two spellings of one text, which are the names of two records.
        let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
        let spelled = try await server.saved(name: composed)
        await expectRefused("a record whose name is spelled otherwise", .internalError) {
            try await server.fetched(spelled, name: decomposed)
        }
        await expectRefused("another spelling of the record's name") {
            try await server.fetched(Self.with(spelled, ["recordName": .string(decomposed)]), name: decomposed)
        }
        #expect(try await server.fetched(spelled, name: composed).encryptedValues["text"] == "hidden words")
        let zone = CKRecordZone.ID(zoneName: "W")
        await expectRefused("another zone") { try await server.fetched(stored, zone: zone) }
        await expectRefused("the public database") {
            try await server.fetched(stored, zone: .default, scope: .public)
        }
        let inDefault = try await server.saved(zone: .default)
        await expectRefused("the public database, of the zone of the same name") {
            try await server.fetched(inDefault, zone: .default, scope: .public)
        }
        let foreign = CKRecordZone.ID(zoneName: "Z", ownerName: "_other")
        await expectRefused("the zone of another owner") {
            try await server.fetched(stored, zone: foreign, scope: .shared)
        }
    }

    @Test("Neither is a value of another container, environment or passphrase", arguments: 0..<3)
    func otherKeys(index: Int) async throws {
        var settings = NephosConfiguration.sealing
        var container = "iCloud.org.example.Test"
        switch index {
        case 0: container = "iCloud.org.example.Other"
        case 1: settings.environment = .production
        default: settings.passphrase = "another one"
        }
        let stored = try await server.saved(on: server.container(settings, container: container))
        await expectRefused("the keys of others") { try await server.fetched(stored) }
    }

    /// The names are encoded with their lengths: no character in one of them passes for a boundary.
    @Test("Names that only look alike when they are joined are not the same")
    func boundaries() async throws {
        for mark in ["\u{0}", ":", "/", ""] {
            let stored = try await server.saved(type: "T", name: "a\(mark)b")
            let zone = CKRecordZone.ID(zoneName: "Z\(mark)a")
            await expectRefused("with '\(mark)'") {
                try await server.fetched(Self.with(stored, ["recordName": "b"]), name: "b", zone: zone)
            }
        }
    }

    @Test("A record of another zone is no response to the request for this one")
    func recordOfAnotherZone() async throws {
        let zone: JSON = ["zoneName": "W", "ownerRecordName": "_me"]
        let stored = try await server.saved(zone: CKRecordZone.ID(zoneName: "W"))
        await expectRefused("a lookup", .internalError) {
            try await server.fetched(Self.with(stored, ["zoneID": zone]))
        }
        let query = CKQuery(recordType: "Secret", predicate: NSPredicate(value: true))
        let results = try await server.person.privateCloudDatabase.records(
            matching: query, inZoneWith: Self.zone, resultsLimit: 9)
        #expect(results.matchResults.map { ($0.1.failure as? CKError)?.code } == [.internalError])
        server.answer.withLock {
            $0 = ["zones": [["syncToken": "t", "records": [Self.with(stored, ["zoneID": zone])]]]]
        }
        let changes = try await server.person.privateCloudDatabase.recordZoneChanges(inZoneWith: Self.zone, since: nil)
        #expect(changes.modificationResultsByID.map { ($0.value.failure as? CKError)?.code } == [.internalError])
    }

    @Test("Queries and feeds fail the forged record alone")
    func otherRequests() async throws {
        let (stored, second) = (try await server.saved(), try await server.saved(name: "b"))
        let forged = Self.changed(stored) { _ in "forged" }
        server.answer.withLock { $0 = ["records": [forged, second]] }
        let query = CKQuery(recordType: "Secret", predicate: NSPredicate(value: true))
        let database = server.person.privateCloudDatabase
        let results = try await database.records(matching: query, inZoneWith: Self.zone, resultsLimit: 9).matchResults
        #expect((results.first?.1.failure as? CKError)?.code == .invalidArguments)
        #expect(try results.last?.1.get().encryptedValues["text"] == "hidden words")
        server.answer.withLock { $0 = ["zones": [["syncToken": "t", "records": [forged, second]]]] }
        let changes = try await database.recordZoneChanges(inZoneWith: Self.zone, since: nil)
        let ids = ["a", "b"].map { CKRecord.ID(recordName: $0, zoneID: Self.zone) }
        #expect((changes.modificationResultsByID[ids[0]]?.failure as? CKError)?.code == .invalidArguments)
        #expect(try changes.modificationResultsByID[ids[1]]?.get().record.encryptedValues["text"] == "hidden words")
    }

    /// What the server answers to a save becomes the contents of the program's record.
    @Test("A save takes over neither forged values nor those of a record of another type")
    func saves() async throws {
        let (stored, note) = (try await server.saved(), try await server.saved("of a note", type: "Note"))
        let answers = [
            Self.changed(stored) { _ in "forged" }, note,
            Self.with(stored, ["zoneID": ["zoneName": "W"]]), Self.with(note, ["recordType": "Secret"]),
            Self.opened(stored),
        ]
        for answer in answers {
            let transport = ScriptedTransport.signedIn { _ in .json((["records": [answer]] as JSON).description) }
            let service = Service(
                container: "iCloud.org.example.Test", configuration: .success(.sealing), transport: transport)
            let database = CKContainer(ContainerCore(service), OperationDefaults()).privateCloudDatabase
            let record = CKRecord(recordType: "Secret", recordID: CKRecord.ID(recordName: "a", zoneID: Self.zone))
            record.encryptedValues["text"] = "mine"
            let results = try await database.modifyRecords(saving: [record], deleting: [], savePolicy: .changedKeys)
            #expect((results.saveResults[record.recordID]?.failure as? CKError)?.code == .serverResponseLost)
            #expect(record.encryptedValues["text"] == "mine")
        }
    }

    @Test("A field stays encrypted after a save whose response leaves it out")
    func savedWithoutField() async throws {
        let answer: JSON = ["records": [["recordName": "a", "recordType": "Secret"]]]
        let transport = ScriptedTransport.signedIn { _ in .json(answer.description) }
        let service = Service(
            container: "iCloud.org.example.Test", configuration: .success(.sealing), transport: transport)
        let database = CKContainer(ContainerCore(service), OperationDefaults()).privateCloudDatabase
        let record = CKRecord(recordType: "Secret", recordID: CKRecord.ID(recordName: "a", zoneID: Self.zone))
        record.encryptedValues["text"] = "hidden words"
        for _ in 0..<2 {
            let results = try await database.modifyRecords(saving: [record], deleting: [], savePolicy: .changedKeys)
            #expect(results.saveResults[record.recordID]?.isSuccess == true)
            // As a program does that copies values from one record to another.
            record.setObject(NSString(string: "hidden words"), forKey: "text")
        }
        expectSealed(transport, requests: 2)
    }

    /// All saves contain a sealed value, and none contains the value itself.
    private func expectSealed(_ transport: ScriptedTransport, requests: Int) {
        let bodies = transport.requests("records/modify").map { String(decoding: $0.bytes, as: UTF8.self) }
        #expect(bodies.count == requests)
        #expect(bodies.allSatisfy { $0.contains("nephos2.") && !$0.contains("hidden words") }, "\(bodies)")
    }

    @Test("A conflict with a record that cannot be decrypted, or with another record, has no server record")
    func conflicts() async throws {
        let (stored, second) = (try await server.saved(), try await server.saved(name: "b"))
        var without = stored
        without[at: [.member("fields"), .member("text")]] = nil
        let rows: [(record: JSON, hasServerRecord: Bool, text: String?)] = [
            (stored, true, "hidden words"), (Self.changed(stored) { _ in "forged" }, false, nil), (second, false, nil),
            (Self.with(stored, ["recordType": "Note"]), false, nil),
            (Self.with(second, ["recordName": "a"]), false, nil),
            (without, true, nil), (Self.with(stored, ["fields": .null]), true, nil), (Self.opened(stored), false, nil),
        ]
        for (record, hasServerRecord, text) in rows {
            let answer: JSON = [
                "records": [
                    ["recordName": "a", "serverErrorCode": "CONFLICT", "ckErrorCode": 14, "serverRecord": record]
                ]
            ]
            let transport = ScriptedTransport.signedIn { _ in .json(answer.description) }
            let service = Service(
                container: "iCloud.org.example.Test", configuration: .success(.sealing), transport: transport)
            let mine = CKRecord(recordType: "Secret", recordID: CKRecord.ID(recordName: "a", zoneID: Self.zone))
            mine.encryptedValues["text"] = "my hidden words"
            let database = CKContainer(ContainerCore(service), OperationDefaults()).privateCloudDatabase
            let error = await #expect(throws: CKError.self) { try await database.save(mine) }
            #expect(error?.code == .serverRecordChanged)
            #expect(error?.serverRecord?.encryptedValues["text"] as? String == text)
            #expect((error?.serverRecord != nil) == hasServerRecord)
            guard let merged = error?.serverRecord else { continue }
            // As a program merges that knows nothing about its fields.
            for key in mine.changedKeys() { merged.setObject(mine.object(forKey: key), forKey: key) }
            #expect(merged.encryptedValues["text"] as? String == "my hidden words")
            await #expect(throws: CKError.self) { try await database.save(merged) }
            expectSealed(transport, requests: 2)
        }
    }

    /// What encryption alone cannot prevent; docs/client.md says so.
    @Test("A server can remove a value, mark it as not encrypted, or return an older one of the same field")
    func whatRemains() async throws {
        let (old, new) = (try await server.saved("old"), try await server.saved("new"))
        #expect(try await server.fetched(new).encryptedValues["text"] == "new")
        #expect(try await server.fetched(old).encryptedValues["text"] == "old")
        var removed = new
        removed[at: [.member("fields"), .member("text")]] = nil
        #expect(try await server.fetched(removed).encryptedValues["text"] == nil)
        let record = try await server.fetched(Self.opened(new))
        #expect(record.encryptedValues["text"] == nil && record.encryptedValues.allKeys() == ["other"])
    }

    @Test(
        "Values without a seal are read if the configuration asks for them, with a passphrase or without; broken seals never"
    )
    func readsUnsealedValues() async throws {
        let stored = try await server.saved()
        let number: JSON = ["value": 7, "type": "INT64", "isEncrypted": true]
        for base in [NephosConfiguration.sealing, .test] {
            var settings = base
            settings.readsUnsealedValues = true
            let container = server.container(settings)
            let open = Self.changed(stored) { _ in "from another client" }
            let record = try await server.fetched(open, on: container)
            #expect(record.encryptedValues["text"] == "from another client")
            var counted = stored
            counted[at: [.member("fields"), .member("text")]] = number
            #expect(try await server.fetched(counted, on: container).encryptedValues["text"] == 7)
            guard settings.passphrase != nil else { continue }
            #expect(try await server.fetched(stored, on: container).encryptedValues["text"] == "hidden words")
            await expectRefused("a broken seal") {
                try await server.fetched(Self.changed(stored) { $0 + "AAAA" }, on: container)
            }
        }
    }

    @Test("Without a passphrase encrypted values are missing, sealed or not")
    func withoutPassphrase() async throws {
        let stored = try await server.saved()
        let without = server.container(.test)
        for record in [stored, Self.changed(stored) { _ in "forged" }] {
            let fetched = try await server.fetched(record, on: without)
            #expect(fetched.encryptedValues["text"] == nil && fetched["text"] == nil)
        }
    }
}

extension NephosConfiguration {
    fileprivate static var sealing: NephosConfiguration {
        var settings = NephosConfiguration.test
        settings.passphrase = "open sesame"
        return settings
    }
}
