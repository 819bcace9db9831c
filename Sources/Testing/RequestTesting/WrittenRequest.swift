import NephosRunner

/// A request as a file of the corpus holds it, so that people read and write them:
///
///     person POST /database/1/iCloud.org.nephos.small/development/private/records/query
///     Name: value
///
///     {"query":{"recordType":"Note"}}
///
/// Any bytes are one: what is missing is empty, and a first word that names no caller is a stranger's.
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

    /// Asks it of a cloud, and says what is wrong with what it came to; nil where nothing is.
    package func problem(in cloud: SmallCloud) -> String? {
        // What a connection never lets through.
        guard target.utf8.first == UInt8(ascii: "/"), !method.isEmpty, target.utf8.allSatisfy({ 0x21...0x7E ~= $0 }),
            method.utf8.allSatisfy({ UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 })
        else { return nil }
        let request = cloud.request(method, target, headers: headers, body: body, as: caller)
        switch cloud.responder.outcome(of: request) {
        case .failed(let error): return "an error that nobody foresaw: \(error)"
        case .answer(let answer) where answer.status >= 500 && answer.status != 503:
            return "\(answer.status): \(String(decoding: answer.body, as: UTF8.self))"
        case .answer, .file, .parked, .stream, .pieces: return nil
        }
    }
}
