import Foundation
import NephosRunner
import NephosStorage
import NephosTesting
import RequestTesting
import Synchronization

/// Sends requests to a small cloud, one after the other, and records its responses.
struct Recorder {
    private static let root = "/database/1/\(SmallCloud.container)/development/"
    private static let origin = "http://127.0.0.1"

    private let cloud: SmallCloud
    private var answers: FormerAnswers
    private var number: UInt64 = 0

    init(_ cloud: SmallCloud) {
        self.cloud = cloud
        answers = FormerAnswers(cloud)
    }

    /// Each is sent with its number, which is also in its id. For ``OwnThreads``.
    mutating func record(_ requests: [RecordedRequest]) throws -> [RecordedEntry] {
        try requests.map { try record($0) }
    }

    private mutating func record(_ request: RecordedRequest) throws -> RecordedEntry {
        number += 1
        // A response depends on its own request and on what was saved before, not on the random numbers used by others.
        cloud.inputs.begin(seed: number)
        cloud.inputs.now += request.later
        let id = RequestID(high: 0, low: number)
        let response = try ask(request, id)
        if let name = request.name { try answers.keep(response.body, as: name) }
        guard try Deadline().waits(until: cloud.isSettled) else {
            throw SystemError("settle after request \(number)", code: ETIMEDOUT)
        }
        return RecordedEntry(number, request, response, id: id.text)
    }

    private func ask(_ request: RecordedRequest, _ id: RequestID) throws -> HTTPResponse {
        let unforeseen = Mutex<String?>(nil)
        let text = try answers.filled(String(decoding: request.body, as: UTF8.self))
        // A body that is not UTF-8 has no placeholders.
        let body = String(validating: request.body, as: UTF8.self) == nil ? request.body : Array(text.utf8)
        let raw = cloud.request(
            request.method, try target(of: request), headers: request.headers.map { ($0.name, $0.value) }, body: body,
            as: request.caller, id: id)
        if case .nothing = request.ending, try cloud.hasDeliveries(for: raw.target) {
            throw RecordingProblem("\(number): something waits for this device")
        }
        let exchange = cloud.begin(raw) { error, _ in unforeseen.withLock { $0 = "\(error)" } }
        let response = try response(of: exchange, request.ending)
        if let error = unforeseen.withLock({ $0 }) { throw RecordingProblem("\(number): \(error)") }
        return response
    }

    private func response(of exchange: LocalExchange, _ ending: RecordedRequest.Ending) throws -> HTTPResponse {
        if case .nothing = ending { exchange.stop() }
        var response = try exchange.head()
        if case .events(let count) = ending {
            for _ in 0..<count { response.body += try exchange.piece() ?? [] }
            exchange.leave()
        }
        return response
    }

    private func target(of request: RecordedRequest) throws -> String {
        var target = try answers.filled(request.target)
        if target.hasPrefix(Self.origin) { target.removeFirst(Self.origin.count) }
        target = target.replacingOccurrences(of: "${f}", with: "photo")
        return target.hasPrefix("/") ? target : Self.root + target
    }
}

/// The reason why a request cannot be recorded.
struct RecordingProblem: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
