import Foundation
import NephosTesting
import Testing

@testable import NephosKit
@testable import NephosTransport

/// Responses that a server should never send: an error of the request, never the end of the program, and nothing endless
/// (docs/client.md, "What is accepted from a server"). Damaged responses and broken connections have suites of their own.
@Suite struct HostileServerTests {
    private static let zone = CKRecordZone.ID(zoneName: "Z")
    private static let id = CKRecord.ID(recordName: "a", zoneID: zone)

    // MARK: Bodies

    @Test(
        "A response with more items than its limit is an error",
        arguments: Question.all.filter { $0.good.firstList != nil })
    func tooManyItems(_ question: Question) async throws {
        let place = try #require(question.good.firstList)
        let item = question.good[at: place + [.element(0)]].description
        var answer = question.good
        answer[at: place] = "MANY"
        for count in [AnswerLimits.items, AnswerLimits.items + 1] {
            let many = "[" + Array(repeating: item, count: count).joined(separator: ",") + "]"
            let body = answer.description.replacingOccurrences(of: "\"MANY\"", with: many)
            let outcome = await question.outcome(body.utf8)
            #expect(count == AnswerLimits.items ? outcome.isResult : outcome == question.unreadable, "\(outcome)")
        }
    }

    /// `records` as the response to a look-up of the records `a` and `b`, in the default zone.
    private func codes(_ records: String) async throws -> [CKError.Code?] {
        let transport = ScriptedTransport.signedIn { _ in .json(#"{"records":[\#(records)]}"#) }
        let ids = ["a", "b"].map { CKRecord.ID(recordName: $0) }
        let results = try await CKContainer.test(transport).privateCloudDatabase.records(for: ids)
        return ids.map { (results[$0]?.failure as? CKError)?.code }
    }

    @Test("The lists of a response have at most a million elements together")
    func elements() async throws {
        func record(_ name: String, _ count: Int, _ type: String) -> String {
            let list = Array(repeating: "\"\"", count: count).joined(separator: ",")
            return #"{"recordName":"\#(name)","recordType":"T","fields":{"f":{"value":[\#(list)]\#(type)}}}"#
        }
        let type = #","type":"STRING_LIST""#
        #expect(try await codes(record("a", 999_999, type) + "," + record("b", 1, type)) == [nil, nil])
        // With and without a type.
        #expect(try await codes(record("a", 999_999, type) + "," + record("b", 2, "")) == [nil, .internalError])
    }

    @Test("A file without what identifies it is an error of its record")
    func unidentifiedFiles() async throws {
        for file in ["{}", #"{"fileChecksum":"c"}"#, #"{"size":5}"#, #"{"fileChecksum":"c","size":null}"#] {
            let field = #"{"f":{"value":[\#(file)],"type":"ASSETID_LIST"}}"#
            let records = #"{"recordName":"a","recordType":"T","fields":\#(field)},{"recordName":"b","recordType":"T"}"#
            #expect(try await codes(records) == [.internalError, nil])
        }
    }

    /// Each takes the place of every number, and of every other value.
    @Test(
        "Numbers beyond every range are results or errors",
        arguments: ["1e400", "9223372036854775808", "-9223372036854775809", "NaN", "1e99999999999999999999"])
    func numbers(text: String) async throws {
        for question in Question.all {
            for place in question.good.places {
                var answer = question.good
                answer[at: place] = "NUMBER"
                let body = answer.description.replacingOccurrences(of: "\"NUMBER\"", with: text)
                let outcome = await question.outcome(body.utf8)
                #expect(outcome.isFit, "\(text) at \(place) of \(question.name): \(outcome)")
            }
        }
    }

    @Test("A key that appears twice is an error")
    func keysTwice() async throws {
        for question in Question.all {
            for place in question.good.places where question.good[at: place].isObject {
                let members = question.good[at: place].members
                guard let first = members.first else { continue }
                var answer = question.good
                answer[at: place] = .object(members + [first])
                // Parts that are not read are not checked.
                let outcome = await question.outcome(answer.description.utf8)
                #expect(
                    outcome.isFit && (outcome == question.unreadable || place != []), "\(question.name) at \(place)")
            }
        }
    }

    @Test("A file name, a path and a NUL in names of a response stay names")
    func names() async throws {
        for name in [
            "../../../etc/passwd", "/etc/passwd", "..", "a\u{0}b", "~/x", String(repeating: "x", count: 100_000),
        ] {
            let folder = try TemporaryFolder()
            let cache = URL(fileURLWithPath: folder.path).appendingPathComponent("cache")
            var settings = NephosConfiguration.test
            settings.cacheFolder = cache
            let path = try #require(name.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed))
            let file: JSON = [
                "fileChecksum": .string(name), "size": 5, "downloadURL": .string("https://files.test/\(path)?f=../x"),
                "wrappingKey": .string(name),
            ]
            let record: JSON = [
                "recordName": "a", "recordType": .string(name), "fields": ["f": ["value": file, "type": "ASSETID"]],
            ]
            let answer = (["records": [record]] as JSON).description
            let user = (["userRecordName": .string(name)] as JSON).description
            let transport = ScriptedTransport { request in
                switch request.path {
                case "users/caller": return .json(user)
                case "records/lookup": return .json(answer)
                default:
                    guard case .file(let url, _) = request.sink, (try? Data("hello".utf8).write(to: url)) != nil else {
                        return .fault(.local)
                    }
                    return .answer(200, [])
                }
            }
            let database = CKContainer.test(transport, settings).privateCloudDatabase
            let fetched = try await database.record(for: CKRecord.ID(recordName: "a"))
            let url = try #require((fetched["f"] as? CKAsset)?.fileURL)
            #expect(url.standardizedFileURL.path.hasPrefix(cache.standardizedFileURL.path + "/"))
            #expect(try Data(contentsOf: url) == Data("hello".utf8))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).allSatisfy { $0 == "cache" })
        }
    }

    // MARK: Files

    /// A record with one file, and a server with this address.
    private func fetched(
        _ address: String, size: String = "5", files: Int = 1, server: String = "https://cloud.test"
    ) async throws -> (code: CKError.Code?, paths: [String]) {
        let file = #"{"fileChecksum":"c","size":\#(size),"downloadURL":"\#(address)"}"#
        let list = Array(repeating: file, count: files).joined(separator: ",")
        let transport = ScriptedTransport.signedIn { request in
            guard request.path == "records/lookup" else { return .fault(.lost) }
            return .json(
                #"{"records":[{"recordName":"a","recordType":"T","fields":{"f":{"value":[\#(list)],"type":"ASSETID_LIST"}}}]}"#
            )
        }
        var settings = NephosConfiguration.test
        settings.serverURL = URL(string: server)
        let database = CKContainer.test(transport, settings).privateCloudDatabase
        let outcome = await Outcome { "\(try await database.record(for: CKRecord.ID(recordName: "a")).recordID)" }
        let paths = transport.requests.map(\.path).filter { !["users/caller", "records/lookup"].contains($0) }
        if case .error(let code) = outcome { return (code, paths) }
        return (nil, paths)
    }

    @Test("A file larger than 10 GB is not fetched", arguments: ["10737418241", "9223372036854775807"])
    func hugeFiles(size: String) async throws {
        let (code, paths) = try await fetched("https://files.test/x", size: size)
        #expect(code == .assetNotAvailable && paths == [])
    }

    @Test("More than a thousand files of a record are not fetched")
    func manyFiles() async throws {
        let (code, paths) = try await fetched("https://files.test/x", files: 1_001)
        #expect(code == .assetNotAvailable && paths == [])
    }

    @Test("A server at https cannot have a file fetched by http")
    func downgrade() async throws {
        let (code, paths) = try await fetched("http://files.test/x")
        #expect(code == .assetNotAvailable && paths == [])
        #expect(try await fetched("https://files.test/y").paths == ["y"])
        #expect(try await fetched("http://files.test/y", server: "http://cloud.test").paths == ["y"])
    }

    @Test("Nor one sent by http, nor a person or a device sent there")
    func otherDowngrades() async throws {
        var settings = NephosConfiguration.test
        settings.serverURL = URL(string: "https://cloud.test")
        let transport = ScriptedTransport.signedIn { request in
            switch request.path {
            case "assets/upload": .json(#"{"tokens":[{"url":"http://files.test/up"}]}"#)
            case "tokens/create": .json(#"{"webcourierURL":"http://files.test/poll"}"#)
            case "sign-in/device-code":
                .json(#"{"device_code":"d","user_code":"BCDF-GHJK","verification_uri":"http://cloud.test/device"}"#)
            default: .json(#"{"records":[]}"#)
            }
        }
        let container = CKContainer.test(transport, settings)
        let folder = try TemporaryFolder()
        try writeFile("\(folder.path)/source", "hello".utf8)
        let record = CKRecord(recordType: "T", recordID: Self.id)
        record["f"] = CKAsset(fileURL: URL(fileURLWithPath: "\(folder.path)/source"))
        let upload = await #expect(throws: CKError.self) { try await container.privateCloudDatabase.save(record) }
        let poll = await #expect(throws: CKError.self) { _ = try await container.remoteNotifications() }
        let page = await #expect(throws: CKError.self) {
            try await container.signIn { _, page in Issue.record("\(page) was shown") }
        }
        #expect([upload, poll, page].map(\.?.code) == [.internalError, .internalError, .internalError])
        #expect(transport.requests.allSatisfy { $0.url.scheme == "https" })
    }

    // MARK: Pages without end

    @Test(
        "A query whose pages bring nothing and never end is an error",
        arguments: ["", #"{"recordName":"a","recordType":"Note","deleted":true}"#])
    func emptyPages(items: String) async throws {
        let transport = ScriptedTransport.signedIn { _ in
            .json(#"{"records":[\#(items)],"continuationMarker":"\#(UUID().uuidString)"}"#)
        }
        let database = CKContainer.test(transport).privateCloudDatabase
        let query = CKQuery(recordType: "Note", predicate: NSPredicate(value: true))
        let error = await #expect(throws: CKError.self) {
            var cursor = try await database.records(matching: query, inZoneWith: Self.zone, resultsLimit: 9).queryCursor
            for _ in 0..<1_000 {
                guard let next = cursor else { return }
                cursor = try await database.records(continuingMatchFrom: next).queryCursor
            }
        }
        #expect(error?.code == .internalError && transport.requests("records/query").count == 100)
    }

    // MARK: Notifications

    /// A signed-in container whose server answers polls like this; the last of `most` gets no response.
    private func polled(
        most: Int, _ answer: @escaping ScriptedTransport.Script, until enough: Int, read: Bool = true,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) async throws -> (polls: Int, pauses: [Double]) {
        let (pauses, polls) = (LockedBox<[Double]>([]), LockedBox(0))
        let (events, source) = AsyncStream<Void>.makeStream()
        let transport = ScriptedTransport.signedIn { request in
            guard request.path != "tokens/create" else { return .json(#"{"webcourierURL":"http://cloud.test/poll"}"#) }
            let count = polls.withLock { count in
                count += 1
                return count
            }
            if count >= most {
                source.yield()
                try? await untilCancelled()
                return .fault(.cancelled)
            }
            return await answer(request)
        }
        let container = CKContainer.test(
            transport, now: now,
            pause: { seconds in
                let count = pauses.withLock { pauses in
                    pauses.append(seconds)
                    return pauses.count
                }
                guard count >= enough else { return }
                source.yield()
                try await untilCancelled()
            })
        let notifications = try await container.remoteNotifications()
        let reader = Task { if read { for try await _ in notifications {} } }
        for await _ in events { break }
        reader.cancel()
        return withExtendedLifetime(notifications) { (polls.value, pauses.value) }
    }

    @Test(
        "Responses that are no notification are followed by pauses that grow",
        arguments: [
            "", "null", "[]", "7", "{", "{}", "<html>", "{\"aps\":{}}", "{\"ck\":1}",
            String(repeating: "[", count: 100_000),
        ])
    func noNotifications(body: String) async throws {
        let (polls, pauses) = try await polled(most: 50, { _ in .json(body) }, until: 9)
        #expect(polls == 9 && pauses == [1, 2, 4, 8, 16, 32, 60, 60, 60])
    }

    /// A server that responds like this, after this many seconds.
    private func polled(_ body: String, after seconds: Double) async throws -> (polls: Int, pauses: [Double]) {
        let time = LockedBox(ContinuousClock.now)
        return try await polled(
            most: 20,
            { _ in
                time.withLock { $0 = $0.advanced(by: .seconds(seconds)) }
                return .json(body)
            }, until: 4, now: { time.value })
    }

    @Test("A server that waits before it says that there is nothing is asked again at once", arguments: [10.0, 50.0])
    func noNotificationAfterAWhile(seconds: Double) async throws {
        let (polls, pauses) = try await polled("null", after: seconds)
        #expect(polls == 20 && pauses == [])
    }

    @Test(
        "One that waits too short a time, or says anything else, is not",
        arguments: [("null", 9.9), ("", 50.0), ("{}", 50.0), ("[null]", 50.0)])
    func strangeWaits(body: String, seconds: Double) async throws {
        let (polls, pauses) = try await polled(body, after: seconds)
        #expect(polls == 4 && pauses == [1, 2, 4, 8])
    }

    @Test("So are refusals that ask for no pause at all")
    func refusalsWithoutPause() async throws {
        let (polls, pauses) = try await polled(most: 50, { _ in .answer(503, [], ["retry-after": "0"]) }, until: 5)
        #expect(polls == 5 && pauses == [1, 2, 4, 8, 16])
    }

    @Test("A server cannot send more notifications than a program reads")
    func floodOfNotifications() async throws {
        let payload = #"{"ck":{"ce":2,"cid":"x"}}"#
        let (polls, pauses) = try await polled(most: 5_000, { _ in .json(payload) }, until: 3, read: false)
        #expect(polls == 101 && pauses == [1, 2, 4])
    }
}

extension JSON {
    /// The path of the first list of objects whose length a server chooses: those of zones with records are as many as requested.
    fileprivate var firstList: [JSON.Step]? {
        places.first { self[at: $0].isArray && self[at: $0][0].isObject && self[at: $0][0]["records"].isAbsent }
    }
}
