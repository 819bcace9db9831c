/// The endpoints below a database, each with a small valid body.
enum Endpoints {
    static let all: [(path: String, body: String)] = [
        ("records/query", #"{"query":{"recordType":"Note"},"resultsLimit":2,"desiredKeys":["count"]}"#),
        ("records/lookup", #"{"records":[{"recordName":"n1"}],"desiredKeys":["text"]}"#),
        (
            "records/modify",
            Self.saving(#"{"operationType":"forceUpdate","record":{"recordName":"a","recordType":"Note"}}"#)
        ),
        ("records/changes", #"{"zoneID":{"zoneName":"Notes"},"resultsLimit":1}"#),
        ("zones/list", "{}"),
        ("zones/lookup", #"{"zones":[{"zoneName":"Notes"}]}"#),
        ("zones/modify", Self.saving(#"{"operationType":"create","zone":{"zoneID":{"zoneName":"Made"}}}"#)),
        ("zones/changes", "{}"),
        ("changes/database", "{}"),
        ("changes/zone", #"{"zones":[{"zoneID":{"zoneName":"Notes"}}],"resultsLimit":1}"#),
        ("subscriptions/list", "{}"),
        ("subscriptions/lookup", #"{"subscriptions":[{"subscriptionID":"s"}]}"#),
        ("subscriptions/modify", Self.saving(Self.subscription)),
        ("tokens/create", #"{"apnsEnvironment":"development"}"#),
        ("tokens/register", #"{"apnsEnvironment":"development","apnsToken":"\#(Self.phone)"}"#),
        ("assets/upload", #"{"tokens":[{"recordType":"Note","fieldName":"file"}]}"#),
        ("assets/rereference", #"{"assets":[{"recordName":"n1","fieldName":"file"}]}"#),
        ("users/caller", "{}"),
        ("users/current", "{}"),
    ]

    static let phone = String(repeating: "0123456789abcdef", count: 4)

    /// The body of a request with operations.
    static func saving(_ operations: String...) -> String { saving(operations) }

    static func saving(_ operations: [String], _ others: String...) -> String {
        "{" + (others + [#""operations":[\#(operations.joined(separator: ","))]"#]).joined(separator: ",") + "}"
    }

    private static let subscription = #"""
        {"operationType":"create","subscription":{"subscriptionID":"s","subscriptionType":"query","firesOn":["delete"],\#
        "query":{"recordType":"Ghost"}}}
        """#
}
