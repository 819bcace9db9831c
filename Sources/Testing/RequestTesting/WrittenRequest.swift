import NephosRunner

/// A request in the format of corpus files, which is readable and editable:
///
///     person POST /database/1/iCloud.org.nephos.small/development/private/records/query
///     Name: value
///
///     {"query":{"recordType":"Note"}}
///
/// Any bytes are a valid file: missing parts are empty, and an unknown caller is a stranger.
package struct WrittenRequest: Sendable {
    package var caller = SmallCloud.Caller.stranger
    package var method = ""
    package var target = ""
    package var headers: [(String, String)] = []
    package var body: [UInt8] = []

    package init(_ bytes: some Collection<UInt8>) {
        var rest = Array(bytes)[...]
        func line() -> String {
            let line = rest.prefix { $0 != UInt8(ascii: "\n") }
            rest = rest.dropFirst(line.count + 1)
            return String(decoding: line, as: UTF8.self)
        }
        let words = line().split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
        caller = SmallCloud.Caller.allCases.first { "\($0)" == words[0] } ?? .stranger
        method = words.count > 1 ? words[1] : ""
        target = words.count > 2 ? words[2] : ""
        while case let text = line(), !text.isEmpty, headers.count < 100 {
            let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            headers.append((String(parts[0]), parts.count == 2 ? String(parts[1].drop { $0 == " " }) : ""))
        }
        body = Array(rest)
    }

    /// Sends it to a cloud, and returns what is wrong with the outcome; nil if nothing is.
    package func problem(in cloud: SmallCloud) -> String? {
        // A connection rejects these requests.
        guard target.utf8.first == UInt8(ascii: "/"), !method.isEmpty, target.utf8.allSatisfy({ 0x21...0x7E ~= $0 }),
            method.utf8.allSatisfy({ UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 })
        else { return nil }
        let request = cloud.request(method, target, headers: headers, body: body, as: caller)
        switch cloud.responder.outcome(of: request) {
        case .failed(let error): return "an unexpected error: \(error)"
        case .answer(let answer) where answer.status >= 500 && answer.status != 503:
            return "\(answer.status): \(String(decoding: answer.body, as: UTF8.self))"
        case .answer, .file, .parked, .stream, .pieces: return nil
        }
    }
}
