import Foundation
import NephosTesting
import Testing

@testable import NephosKit
@testable import NephosTransport

/// Requests that the service cannot process now: background operations wait and retry, all others fail immediately.
@Suite struct PatienceTests {
    /// Recorded pauses that take no time. The clock does not advance, so that some operations would never end: the twelfth pause
    /// cancels.
    private final class Pauses: Sendable {
        private let seconds = LockedBox<[Double]>([])
        var list: [Double] { seconds.value }

        func take(_ wait: Double) throws {
            let count = seconds.withLock { seconds in
                seconds.append(wait)
                return seconds.count
            }
            if count == 12 { throw CancellationError() }
        }
    }

    private static let busy: Result<TransportAnswer, TransportFault> = .json(
        #"{"serverErrorCode":"TRY_AGAIN_LATER","reason":"too many writers","retryAfter":7}"#, status: 503)

    private func container(_ transport: ScriptedTransport, _ pauses: Pauses) -> CKContainer {
        .test(transport, pause: { try pauses.take($0) })
    }

    /// Sends a request with a quality of service, and a timeout for the whole operation.
    private func outcome(
        _ question: Question, _ container: CKContainer, _ quality: QualityOfService, seconds: TimeInterval = 3_600
    ) async -> Outcome {
        let configuration = CKOperation.Configuration()
        configuration.qualityOfService = quality
        configuration.timeoutIntervalForResource = seconds
        return await container.configuredWith(configuration: configuration) { await question.outcome($0) }
    }

    private static let patient = Question.all.filter { $0.name != Question.account.name }

    @Test(arguments: patient) func backgroundWorkWaitsAsLongAsItWasAskedTo(_ question: Question) async {
        let (pauses, tries, good) = (Pauses(), LockedBox(0), question.good.description)
        let transport = ScriptedTransport.signedIn { _ in
            tries.withLock {
                $0 += 1; return $0
            } <= 2 ? Self.busy : .json(good)
        }
        #expect(await outcome(question, container(transport, pauses), .utility) == question.goodOutcome)
        #expect(pauses.list == [7, 7])
        #expect(transport.requests(question.path).count == 3)
    }

    /// Apple's four levels, and its default, which is discretionary: not urgent.
    @Test(
        "Of four levels of quality of service two fail immediately; two wait, and so does the default (S1-28)",
        arguments: [
            (nil, true), (.default, true), (.background, true), (.utility, true), (.userInitiated, false),
            (.userInteractive, false),
        ] as [(QualityOfService?, Bool)])
    func fourLevels(quality: QualityOfService?, waits: Bool) async throws {
        let (pauses, tries) = (Pauses(), LockedBox(0))
        let transport = ScriptedTransport.signedIn { _ in
            tries.withLock {
                $0 += 1; return $0
            } <= 2 ? Self.busy : .json(Question.fetch.good.description)
        }
        let operation = CKFetchRecordsOperation(
            recordIDs: [CKRecord.ID(recordName: "a", zoneID: CKRecordZone.ID(zoneName: "Z"))])
        #expect(operation.qualityOfService == .default && operation.configuration.qualityOfService == .default)
        if let quality { operation.qualityOfService = quality }
        let database = container(transport, pauses).privateCloudDatabase
        let isThere = await withCheckedContinuation { continuation in
            operation.fetchRecordsResultBlock = { continuation.resume(returning: (try? $0.get()) != nil) }
            database.add(operation)
        }
        #expect(isThere == waits && pauses.list == (waits ? [7, 7] : []))
    }

    @Test("Functions, whose callers wait, fail immediately unless configured with another quality of service (S1-28)")
    func functions() async {
        for question in Self.patient {
            let (pauses, transport) = (Pauses(), ScriptedTransport.signedIn { _ in Self.busy })
            #expect(await question.outcome(container(transport, pauses)) == .error(.serviceUnavailable))
            #expect(pauses.list.isEmpty)
            _ = await outcome(question, container(transport, pauses), .default, seconds: 10)
            #expect(pauses.list.first == 7)
        }
    }

    @Test(arguments: [QualityOfService.userInitiated, .userInteractive])
    func otherWorkFailsAtOnce(_ quality: QualityOfService) async {
        for question in Question.all {
            let (pauses, transport) = (Pauses(), ScriptedTransport { _ in Self.busy })
            let result = await outcome(question, container(transport, pauses), quality)
            #expect(result == .error(.serviceUnavailable), "\(question.name)")
            #expect(pauses.list.isEmpty && transport.requests.count == 1)
        }
    }

    @Test func aServerThatStaysAwayIsAskedMoreAndMoreSeldom() async {
        let pauses = Pauses()
        let transport = ScriptedTransport.signedIn { _ in .answer(503, []) }
        #expect(await outcome(.fetch, container(transport, pauses), .background) == .error(.operationCancelled))
        #expect(pauses.list == [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300])
    }

    @Test func itIsNeverAskedSoonerThanItSaid() async {
        let pauses = Pauses()
        let transport = ScriptedTransport.signedIn { _ in Self.busy }
        let result = await outcome(.fetch, container(transport, pauses), .utility, seconds: 60)
        #expect(result == .error(.serviceUnavailable))
        #expect(pauses.list == [7, 7, 7, 8, 16, 32])
    }

    @Test func aWaitBeyondTheTimeOfTheOperationIsNotBegun() async {
        let pauses = Pauses()
        let transport = ScriptedTransport.signedIn { _ in Self.busy }
        #expect(
            await outcome(.fetch, container(transport, pauses), .utility, seconds: 6) == .error(.serviceUnavailable))
        #expect(pauses.list.isEmpty)
    }

    @Test(
        "Without network, work waits for it (S1-34)", arguments: [TransportFault.Kind.noNetwork, .unreachable])
    func networksComeBack(_ kind: TransportFault.Kind) async {
        for question in Self.patient {
            let (pauses, tries, good) = (Pauses(), LockedBox(0), question.good.description)
            let transport = ScriptedTransport { request in
                if tries.withLock({
                    $0 += 1; return $0
                }) <= 3 {
                    return .fault(kind)
                }
                return .json(request.path == "users/caller" ? #"{"userRecordName":"_me"}"# : good)
            }
            #expect(await outcome(question, container(transport, pauses), .utility) == question.goodOutcome)
            #expect(pauses.list == [1, 2, 4])
        }
    }

    /// It is unknown whether it was made: only the program can decide whether repeating it is safe.
    @Test(arguments: [0, 200, 500, 502, 504]) func aLostAnswerToAChangeIsNeverTriedAgain(status: Int) async {
        for question in Self.patient where question.isChange {
            let pauses = Pauses()
            let transport = ScriptedTransport.signedIn { _ in
                status == 0 ? .fault(.lost) : .answer(status, "<html>".utf8)
            }
            let result = await outcome(question, container(transport, pauses), .utility)
            #expect(result == .error(.serverResponseLost), "\(question.name)")
            #expect(transport.requests(question.path).count == 1 && pauses.list.isEmpty, "\(question.name)")
        }
    }

    @Test func aLostAnswerToAQuestionIsAskedForAgain() async {
        let (pauses, tries, good) = (Pauses(), LockedBox(0), Question.fetch.good.description)
        let transport = ScriptedTransport.signedIn { _ in
            tries.withLock {
                $0 += 1; return $0
            } == 1 ? .fault(.lost) : .json(good)
        }
        #expect(await outcome(.fetch, container(transport, pauses), .utility).isResult)
        #expect(pauses.list == [1])
    }

    @Test(arguments: [TransportFault.Kind.cancelled, .unusable, .local]) func othersDoNotPass(
        _ kind: TransportFault.Kind
    ) async {
        let (pauses, transport) = (Pauses(), ScriptedTransport.signedIn { _ in .fault(kind) })
        let result = await outcome(.fetch, container(transport, pauses), .utility)
        #expect(result == .error(kind == .cancelled ? .operationCancelled : .internalError))
        #expect(transport.requests("records/lookup").count == 1 && pauses.list.isEmpty)
    }

    @Test func cancellingEndsTheWait() async {
        let began = Eventually<Void>()
        let transport = ScriptedTransport.signedIn { _ in Self.busy }
        let container = CKContainer.test(
            transport,
            pause: { _ in
                began.set(())
                try await untilCancelled()
            })
        let asking = Task { await outcome(.save, container, .utility) }
        await began.wait()
        asking.cancel()
        #expect(await asking.value == .error(.operationCancelled))
        #expect(transport.requests("records/modify").count == 1)
    }
}
