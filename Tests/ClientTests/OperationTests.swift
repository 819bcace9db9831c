import CloudKit
import Foundation
import Testing

extension ClientTests {
    /// How operations run: order, queues, cancelling, time, configurations and groups (docs/client.md, "Operations").
    @Suite("Operations have dependencies, priorities, cancellation, limits and progress (S1-27)") struct OperationTests
    {
        let cloud: Cloud
        let container: CKContainer
        var database: CKDatabase { container.privateCloudDatabase }

        init() throws {
            cloud = try Cloud()
            container = try cloud.device()
        }

        @Test("Item blocks, then the result block, then completionBlock; one at a time, and never on the main thread")
        func order() async throws {
            let records = (0..<20).map { note("n\($0)") }
            let operation = CKModifyRecordsOperation(recordsToSave: records, recordIDsToDelete: [note("none").recordID])
            let calls = Calls()
            operation.perRecordProgressBlock = { _, _ in calls.add("progress") }
            operation.perRecordSaveBlock = { id, _ in
                #expect(!Thread.isMainThread)
                calls.add(id.recordName)
            }
            operation.perRecordDeleteBlock = { _, _ in calls.add("deleted") }
            operation.modifyRecordsResultBlock = { [unowned operation] _ in
                #expect(operation.isExecuting && !operation.isFinished)
                calls.add("result")
            }
            await database.finish(operation)
            let expected = records.flatMap { ["progress", $0.recordID.recordName] } + ["deleted", "result"]
            #expect(calls.list == expected)
            #expect(operation.isFinished && !operation.isExecuting)
        }

        @Test("Dependencies: an operation begins after the other's result block has returned")
        func dependencies() async throws {
            let zone = CKRecordZone(zoneName: "Notes")
            let calls = Calls()
            let makesZone = CKModifyRecordZonesOperation(recordZonesToSave: [zone])
            makesZone.modifyRecordZonesResultBlock = { calls.add("zone \($0.isSuccess)") }
            let saves = CKModifyRecordsOperation(recordsToSave: [note("a", in: zone.zoneID)])
            saves.perRecordSaveBlock = { calls.add("record \($1.isSuccess)") }
            saves.addDependency(makesZone)
            let queue = OperationQueue()
            saves.database = database
            makesZone.database = database
            await withCheckedContinuation { continuation in
                saves.completionBlock = { continuation.resume() }
                queue.addOperations([saves, makesZone], waitUntilFinished: false)
            }
            #expect(calls.list == ["zone true", "record true"])
        }

        @Test("Of waiting operations, the one with the highest priority begins first")
        func priorities() async throws {
            let (queue, calls) = (OperationQueue(), Calls())
            queue.maxConcurrentOperationCount = 1
            queue.isSuspended = true
            let priorities: [Operation.QueuePriority] = [.low, .veryLow, .veryHigh, .normal, .high]
            for priority in priorities {
                let operation = CKModifyRecordsOperation(recordsToSave: [note()])
                operation.database = database
                operation.queuePriority = priority
                operation.modifyRecordsResultBlock = { calls.add("\(priority.rawValue) \($0.isSuccess)") }
                queue.addOperation(operation)
            }
            let last = BlockOperation()
            for operation in queue.operations { last.addDependency(operation) }
            await withCheckedContinuation { continuation in
                last.completionBlock = { continuation.resume() }
                OperationQueue().addOperation(last)
                queue.isSuspended = false
            }
            #expect(calls.list == priorities.map(\.rawValue).sorted(by: >).map { "\($0) true" })
        }

        @Test("An operation fetches no more records and fields than requested")
        func limits() async throws {
            try await database.modifyRecords(saving: (0..<5).map { note("n\($0)") }, deleting: [])
            let query = CKQueryOperation(
                query: CKQuery(recordType: "Note", predicate: NSPredicate(format: "text == 'x'")))
            (query.resultsLimit, query.desiredKeys) = (2, [])
            let fetch = CKFetchRecordsOperation(recordIDs: [note("n0").recordID])
            fetch.desiredKeys = []
            let fields = Calls()
            query.recordMatchedBlock = { fields.add("\((try? $1.get())?.allKeys() ?? ["failed"])") }
            fetch.perRecordResultBlock = { fields.add("\((try? $1.get())?.allKeys() ?? ["failed"])") }
            await database.finish(query)
            await database.finish(fetch)
            #expect(fields.list == ["[]", "[]", "[]"])
        }

        @Test(
            "An operation without a database uses the private one of the container it was added to; start() works too")
        func places() async throws {
            let first = CKModifyRecordsOperation(recordsToSave: [note("a")])
            await withCheckedContinuation { continuation in
                first.completionBlock = { continuation.resume() }
                container.add(first)
            }
            #expect(try await database.record(for: note("a").recordID)["text"] == "x")
            let second = CKModifyRecordsOperation(recordsToSave: [note("b")])
            second.configuration.container = container
            await withCheckedContinuation { continuation in
                second.completionBlock = { continuation.resume() }
                second.start()
            }
            #expect(try await database.record(for: note("b").recordID)["text"] == "x")
        }

        @Test("Cancelled before it begins or while it runs: operationCancelled, and nothing else is reported")
        func cancelling() async throws {
            let calls = Calls()
            let early = CKModifyRecordsOperation(recordsToSave: [note("a")])
            early.perRecordSaveBlock = { _, _ in calls.add("item") }
            early.modifyRecordsResultBlock = { calls.add("\(code($0).map { "\($0)" } ?? "")") }
            early.cancel()
            await database.finish(early)
            #expect(calls.list == ["operationCancelled"])

            // A server that accepts connections and never responds.
            let silent = try SilentServer()
            var settings = try cloud.configuration(nil)
            settings.serverURL = URL(string: "http://127.0.0.1:\(silent.port)")
            let stuck = CKContainer(identifier: cloud.container.id, configuration: settings).publicCloudDatabase
            let late = CKModifyRecordsOperation(recordsToSave: [note("a")])
            late.modifyRecordsResultBlock = { calls.add("late \(code($0).map { "\($0)" } ?? "")") }
            async let finished: Void = stuck.finish(late)
            try silent.accept()
            late.cancel()
            await finished
            #expect(calls.list.last == "late operationCancelled")

            let task = Task { try await stuck.save(note("b")) }
            try silent.accept()
            task.cancel()
            #expect(await code { _ = try await task.value } == .operationCancelled)
        }

        @Test("Timeouts apply to a request in which nothing moves, and to the whole operation")
        func timeouts() async throws {
            let silent = try SilentServer()
            var settings = try cloud.configuration(nil)
            settings.serverURL = URL(string: "http://127.0.0.1:\(silent.port)")
            let database = CKContainer(identifier: cloud.container.id, configuration: settings).publicCloudDatabase
            let impatient = CKOperation.Configuration()
            // Long enough for a busy machine to send the request.
            impatient.timeoutIntervalForRequest = 1
            let fetched = await code {
                _ = try await database.configuredWith(configuration: impatient) { database in
                    try await database.record(for: note("a").recordID)
                }
            }
            #expect(fetched == .networkFailure)
            let saved = await code {
                _ = try await database.configuredWith(configuration: impatient) { try await $0.save(note("a")) }
            }
            #expect(saved == .serverResponseLost, "nobody knows whether it was saved")
            let whole = CKOperation.Configuration()
            whole.timeoutIntervalForResource = 0.2
            let late = await code {
                _ = try await database.configuredWith(configuration: whole) {
                    try await $0.record(for: note("a").recordID)
                }
            }
            #expect(late == .networkFailure)
        }

        @Test("An operation's settings override its group's, and those the defaults; both are copied")
        func configurations() {
            let operation = CKFetchRecordsOperation(recordIDs: [])
            #expect(operation.configuration.timeoutIntervalForRequest == 60)
            #expect(operation.configuration.timeoutIntervalForResource == 604_800)
            #expect(operation.qualityOfService == .default && operation.configuration.allowsCellularAccess)
            #expect(!operation.configuration.isLongLived && operation.configuration.container == nil)

            let group = CKOperationGroup()
            let defaults = CKOperation.Configuration()
            defaults.timeoutIntervalForRequest = 5
            defaults.qualityOfService = .utility
            group.defaultConfiguration = defaults
            defaults.timeoutIntervalForRequest = 6
            #expect(group.defaultConfiguration.timeoutIntervalForRequest == 5)
            operation.group = group
            #expect(operation.qualityOfService == .utility)
            operation.qualityOfService = .userInitiated
            #expect(operation.qualityOfService == .userInitiated)
            #expect(operation.configuration.qualityOfService == .userInitiated)
            operation.configuration = nil
            #expect(operation.qualityOfService == .utility && operation.configuration.qualityOfService == .default)
            #expect(operation.operationID != CKFetchRecordsOperation(recordIDs: []).operationID)
        }

        @Test("configuredWith provides a configuration and a group, and changes nothing outside")
        func configuredWith() async throws {
            let configuration = CKOperation.Configuration()
            configuration.isLongLived = true
            let group = CKOperationGroup()
            let lent = await code {
                _ = try await database.configuredWith(configuration: configuration, group: group) {
                    try await $0.save(note("a"))
                }
            }
            #expect(lent == .invalidArguments, "operations that outlive the program are refused")
            let viaContainer = await code {
                _ = try await container.configuredWith(configuration: configuration) {
                    try await $0.privateCloudDatabase.save(note("a"))
                }
            }
            #expect(viaContainer == .invalidArguments)
            #expect(await code { try await database.save(note("a")) } == nil)
            let scope = database.configuredWith(group: group) { $0.databaseScope }
            #expect(scope == .private)
            #expect(container.configuredWith { $0.containerIdentifier } == cloud.container.id)
        }

        @Test("An operation runs once")
        func once() async throws {
            let operation = CKModifyRecordsOperation(recordsToSave: [note("a")])
            let calls = Calls()
            operation.modifyRecordsResultBlock = { _ in calls.add("result") }
            await database.finish(operation)
            operation.start()
            #expect(calls.list == ["result"] && operation.isFinished)
        }

        @Test("An operation without anything to do reports that")
        func nothing() async throws {
            for operation in [
                CKModifyRecordsOperation(), CKModifyRecordZonesOperation(), CKModifySubscriptionsOperation(),
                CKQueryOperation(),
            ] as [CKDatabaseOperation] {
                let calls = Calls()
                (operation as? CKModifyRecordsOperation)?.modifyRecordsResultBlock = { calls.add("\(code($0)!)") }
                (operation as? CKModifyRecordZonesOperation)?.modifyRecordZonesResultBlock = {
                    calls.add("\(code($0)!)")
                }
                (operation as? CKModifySubscriptionsOperation)?.modifySubscriptionsResultBlock = {
                    calls.add("\(code($0)!)")
                }
                (operation as? CKQueryOperation)?.queryResultBlock = { calls.add("\(code($0)!)") }
                await database.finish(operation)
                #expect(calls.list == ["invalidArguments"], "\(operation)")
            }
            #expect(try await database.modifyRecords(saving: [], deleting: []).saveResults.isEmpty)
            #expect(try await database.records(for: []).isEmpty)
            #expect(try await database.recordZones(for: []).isEmpty)
        }
    }
}
