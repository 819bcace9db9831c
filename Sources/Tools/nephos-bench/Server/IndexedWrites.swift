import NephosTesting

/// Indexes of the saved type, created by queries as usual.
enum IndexedWrites {
    private static let queries = [
        #""sortBy":[{"fieldName":"count"}]"#, #""sortBy":[{"fieldName":"rank"}]"#, #""sortBy":[{"fieldName":"day"}]"#,
        #""sortBy":[{"fieldName":"title"}]"#, #""sortBy":[{"fieldName":"kind"}]"#, #""sortBy":[{"fieldName":"done"}]"#,
        #""sortBy":[{"fieldName":"ratio"}]"#, #""sortBy":[{"fieldName":"data"}]"#,
        #""filterBy":[{"fieldName":"tags","comparator":"LIST_CONTAINS","fieldValue":{"value":"a"}}]"#,
        #""filterBy":[{"fieldName":"title","comparator":"CONTAINS_ALL_TOKENS","fieldValue":{"value":"note"}}]"#,
        #""filterBy":[{"fieldName":"place","comparator":"NEAR","distance":10,"fieldValue":{"value":{"latitude":1.5,"longitude":2.5},"type":"LOCATION"}}]"#,
    ]

    /// One for each field of the record.
    static var all: Int { queries.count }

    /// Creates the first `count` of them and waits until they are built.
    static func open(_ count: Int, in cloud: BenchCloud) throws {
        guard count > 0 else { return }
        try cloud.fill("Many", 1_000)
        for query in queries.prefix(count) {
            // A filter that matches every record replaces the right to list all of them.
            let filter = #"{"fieldName":"count","comparator":"GREATER_THAN","fieldValue":{"value":0}}"#
            let conditions = query.contains("filterBy") ? query : #""filterBy":[\#(filter)],\#(query)"#
            let body = #"{"zoneID":{"zoneName":"Many"},"query":{"recordType":"Note",\#(conditions)}}"#
            let client = cloud.client
            let answer = try client.send("POST", client.path("records/query", .private), body: Array(body.utf8))
            guard answer.status == 200 else { throw Wrk.Failure(description: "query \(body): \(answer.status)") }
        }
    }
}
