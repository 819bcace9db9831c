import NephosTesting

/// One user's client, which requires responses with status 200.
struct Session {
    let client: CloudKitClient

    /// - Throws: ``UnusableAnswer`` for any other status.
    func post(_ path: String, _ body: JSON, database: Database = .private) throws -> JSON {
        let response = try client.post(path, database, body)
        guard response.status == 200 else {
            throw UnusableAnswer(
                description: "\(path) answered \(response.status): \(String(decoding: response.body, as: UTF8.self))")
        }
        return try response.json
    }

    /// Posts items, and returns as many results.
    func post(_ path: String, _ items: JSON, under key: String, answersUnder answerKey: String, with body: JSON)
        throws -> [JSON]
    {
        var body = body
        body[key] = items
        let answer = try post(path, body)
        guard answer[answerKey].isArray, answer[answerKey].elements.count == items.elements.count else {
            throw UnusableAnswer(description: "\(path): \(items.elements.count) items, answered \(answer)")
        }
        return answer[answerKey].elements
    }
}
