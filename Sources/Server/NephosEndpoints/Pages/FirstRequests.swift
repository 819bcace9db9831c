package import NephosStorage

/// What a newcomer sends first, as lines for a shell: one saves a note to the private database, one asks for all of them.
package struct FirstRequests {
    /// The address of the private database.
    package let database: String
    private let tokens: String
    private let quote: Character

    /// - Parameters:
    ///   - url: By which clients reach the server.
    ///   - quote: Around what has the tokens: `"` where they are variables of the shell.
    package init(_ tenant: Tenant, at url: String, apiToken: String, webAuthToken: String, quote: Character = "'") {
        database = "\(url)/database/1/\(tenant.container)/\(tenant.environment.rawValue)/private"
        tokens = "ckAPIToken=\(apiToken)&ckWebAuthToken=\(webAuthToken)"
        self.quote = quote
    }

    package var save: String {
        line(
            "records/modify",
            #"{"operations":[{"operationType":"create","record":{"recordType":"Note","fields":{"text":{"value":"Hello"}}}}]}"#
        )
    }

    package var query: String { line("records/query", #"{"query":{"recordType":"Note"}}"#) }

    private func line(_ endpoint: String, _ body: String) -> String {
        "curl \(quote)\(database)/\(endpoint)?\(tokens)\(quote) -d '\(body)'"
    }
}
