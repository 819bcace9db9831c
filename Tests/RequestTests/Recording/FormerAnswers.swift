import Foundation
import NephosTesting
import RequestTesting

/// Fills placeholders in the texts of requests: `$(name/a/0/b)` with the value at this path in the response to the request with
/// that name, and `$(person)` and the like with the values with which the cloud was created.
struct FormerAnswers {
    private var answers: [String: JSON] = [:]
    private let known: [String: String]

    init(_ cloud: SmallCloud) {
        known = ["apiToken": cloud.apiToken, "webAuthToken": cloud.webAuthToken, "friendsToken": cloud.friendsToken]
    }

    mutating func keep(_ body: [UInt8], as name: String) throws { answers[name] = try JSON(reading: body) }

    func filled(_ text: String) throws -> String {
        var parts = text.components(separatedBy: "$(")
        var result = parts.removeFirst()
        for part in parts {
            guard let end = part.firstIndex(of: ")") else { throw RecordingProblem("a place has no end: \(part)") }
            result += try value(at: String(part[..<end])) + part[part.index(after: end)...]
        }
        return result
    }

    private func value(at place: String) throws -> String {
        if let value = known[place] { return value }
        var steps = place.split(separator: "/").map(String.init)[...]
        guard let name = steps.popFirst(), var json = answers[name] else {
            throw RecordingProblem("no answer is called as in \(place)")
        }
        for step in steps { json = Int(step).map { json[$0] } ?? json[step] }
        switch json {
        case .string(let text): return text
        case .number(let digits): return digits
        default: throw RecordingProblem("there is no text at \(place)")
        }
    }
}
