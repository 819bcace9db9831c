import Crypto
import NephosRunner
import NephosTesting

/// The recording of one request: the request and its response.
struct RecordedEntry: Equatable {
    /// Longer responses and longer requests are recorded by length and hash.
    private static let answerBytesMax = 2_048, requestBytesMax = 512
    private static let json = "application/json; charset=UTF-8"

    /// Lines, none of them empty.
    let text: String

    init(text: String) { self.text = text }

    init(_ number: UInt64, _ request: RecordedRequest, _ response: HTTPResponse, id: String) {
        var lines = ["#\(number) \(request.caller) \(request.method) \(request.target)"]
        lines += request.headers.map { "> \($0.name): \($0.value)" }
        lines += Self.lines(request.body, "> ", bytesMax: Self.requestBytesMax)
        lines.append("\(response.status)")
        lines += Self.headers(of: response, id: id).map { "\($0.name): \($0.value)" }
        lines += Self.lines(response.body, "< ", bytesMax: Self.answerBytesMax)
        text = lines.joined(separator: "\n")
    }

    /// Only those of this response, where the others have their usual values; otherwise all.
    private static func headers(of response: HTTPResponse, id: String) -> [HTTPHeader] {
        let always = CommonHeaders.ofAll + CommonHeaders.ofAllOrigins + [("X-Apple-Request-UUID", id)]
        let first = response.headers.prefix(always.count)
        guard zip(first, always).allSatisfy({ $0.name == $1.0 && $0.value == $1.1 }) else { return response.headers }
        var rest = Array(response.headers.dropFirst(always.count))
        if rest.first?.name == "Content-Type", rest[0].value == json { rest.removeFirst() }
        if rest.last?.name == "Content-Length", rest.last?.value == "\(response.body.count)" { rest.removeLast() }
        return rest
    }

    private static func lines(_ body: [UInt8], _ mark: String, bytesMax: Int) -> [String] {
        if body.isEmpty { return [] }
        guard body.count <= bytesMax, let text = String(validating: body, as: UTF8.self),
            !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control && $0 != "\n" })
        else {
            let hash = SHA256.hash(data: body).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
            return ["\(mark)\(body.count) bytes, SHA-256 \(hash)"]
        }
        return text.split(separator: "\n", omittingEmptySubsequences: false).map { mark + $0 }
    }
}
