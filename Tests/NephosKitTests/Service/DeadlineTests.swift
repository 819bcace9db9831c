import Foundation
import NephosTesting
import Testing

@testable import NephosKit
@testable import NephosTransport

/// The error of an operation that times out: whether it reports that the change may have been made (docs/client.md, "Operations").
@Suite struct DeadlineTests {
    private static let operations = Question.all.filter { $0.name != Question.account.name }

    /// Sends a request with a timeout for the whole operation, and returns the program's result and what was sent.
    private func outcome(
        _ question: Question, _ quality: QualityOfService = .default, seconds: TimeInterval = 60,
        pause: @escaping @Sendable () async throws -> Void = {}, over: Eventually<Void>,
        _ script: @escaping ScriptedTransport.Script
    ) async -> (Outcome, [TransportRequest]) {
        let transport = ScriptedTransport(script)
        let container = CKContainer.test(
            transport, pause: { _ in try await pause() },
            countdown: { waited in
                #expect(waited == seconds)
                await over.wait()
            })
        let configuration = CKOperation.Configuration()
        configuration.qualityOfService = quality
        configuration.timeoutIntervalForResource = seconds
        let outcome = await container.configuredWith(configuration: configuration) { await question.outcome($0) }
        over.set(())
        return (outcome, transport.requests(question.path))
    }

    private static func cancelled() async -> Result<TransportAnswer, TransportFault> {
        try? await untilCancelled()
        return .fault(.cancelled)
    }

    @Test(arguments: operations, [QualityOfService.default, .utility])
    func nobodyKnowsOfAChangeThatWasUnderWay(_ question: Question, _ quality: QualityOfService) async {
        let over = Eventually<Void>()
        let (outcome, sent) = await outcome(question, quality, over: over) { request in
            guard request.path == question.path else { return .json(#"{"userRecordName":"_me"}"#) }
            over.set(())
            return await Self.cancelled()
        }
        #expect(outcome == question.lost)
        #expect(sent.count == 1)
    }

    @Test(arguments: operations) func whatWasNotSentIsNotDone(_ question: Question) async {
        let over = Eventually<Void>()
        let (outcome, sent) = await outcome(question, over: over) { request in
            over.set(())
            _ = await Self.cancelled()
            // The response arrived at the last moment, and nothing may follow it.
            return .json(#"{"userRecordName":"_me"}"#)
        }
        #expect(outcome == .error(.networkFailure))
        #expect(sent.isEmpty)
    }

    @Test(arguments: operations) func whatTheServiceDidNotTakeIsNotDone(_ question: Question) async {
        let over = Eventually<Void>()
        let pause: @Sendable () async throws -> Void = {
            over.set(())
            try await untilCancelled()
        }
        let (outcome, sent) = await outcome(question, .utility, pause: pause, over: over) { request in
            request.path == question.path ? .answer(503, []) : .json(#"{"userRecordName":"_me"}"#)
        }
        #expect(outcome == .error(.networkFailure))
        #expect(sent.count == 1)
    }

    @Test func whatWasDoneBeforeIsTold() async throws {
        let over = Eventually<Void>()
        let count = LockedBox(0)
        let transport = ScriptedTransport.signedIn { _ in
            let isFirst = count.withLock {
                $0 += 1; return $0 == 1
            }
            if isFirst { return .json(#"{"records":[{"recordName":"a","recordType":"Note","recordChangeTag":"1"}]}"#) }
            over.set(())
            return await Self.cancelled()
        }
        let records = ["A", "B"].map {
            CKRecord(recordType: "Note", recordID: CKRecord.ID(recordName: "a", zoneID: CKRecordZone.ID(zoneName: $0)))
        }
        let operation = CKModifyRecordsOperation(recordsToSave: records)
        operation.configuration.timeoutIntervalForResource = 5
        let told = LockedBox<[String]>([])
        operation.perRecordSaveBlock = { id, result in
            told.withLock { $0.append("\(id.zoneID.zoneName) \(result.isSuccess)") }
        }
        let error: CKError? = await withCheckedContinuation { continuation in
            operation.modifyRecordsResultBlock = { continuation.resume(returning: $0.failure as? CKError) }
            CKContainer.test(transport, countdown: { _ in await over.wait() }).privateCloudDatabase.add(operation)
        }
        #expect(told.value == ["A true"] && error?.code == .serverResponseLost)
    }

    // MARK: Invalid times

    private func ask(_ change: (CKOperation.Configuration) -> Void) async -> (Outcome, [TransportRequest]) {
        let (transport, configuration) = (
            ScriptedTransport.signedIn { _ in .answer(503, []) }, CKOperation.Configuration()
        )
        change(configuration)
        let outcome = await CKContainer.test(transport, pause: { _ in throw CancellationError() })
            .configuredWith(configuration: configuration) { await Question.fetch.outcome($0) }
        return (outcome, transport.requests)
    }

    @Test(arguments: [0, -0.0, -1, -.infinity, .nan, -.greatestFiniteMagnitude])
    func aTimeThatIsNoneIsTheProgramsFault(seconds: TimeInterval) async {
        for isRequest in [false, true] {
            let (outcome, sent) = await ask {
                if isRequest { $0.timeoutIntervalForRequest = seconds } else { $0.timeoutIntervalForResource = seconds }
            }
            #expect(outcome == .error(.invalidArguments) && sent.isEmpty)
        }
    }

    @Test(
        arguments: [.infinity, .greatestFiniteMagnitude, 1e18, 31_536_001], [QualityOfService.userInitiated, .utility])
    func aTimeWithoutEndIsAYear(seconds: TimeInterval, quality: QualityOfService) async {
        let (outcome, sent) = await ask {
            $0.timeoutIntervalForRequest = seconds
            $0.timeoutIntervalForResource = seconds
            $0.qualityOfService = quality
        }
        #expect(outcome == .error(quality == .utility ? .operationCancelled : .serviceUnavailable))
        #expect(sent.map(\.timeout) == [31_536_000, 31_536_000])
    }

    /// The program's own clock is used, which scripts do not provide.
    @Test func timesWithoutEndAreCounted() async throws {
        let service = Service(
            container: "iCloud.test", configuration: .success(.test),
            transport: ScriptedTransport.signedIn { _ in .json(Question.fetch.good.description) })
        let configuration = CKOperation.Configuration()
        configuration.timeoutIntervalForResource = .infinity
        let container = CKContainer(ContainerCore(service), OperationDefaults())
        let outcome = await container.configuredWith(configuration: configuration) { await Question.fetch.outcome($0) }
        #expect(outcome.isResult)
    }
}
