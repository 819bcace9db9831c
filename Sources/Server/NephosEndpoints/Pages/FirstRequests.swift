package import NephosStorage

/// The first requests of a new user, as shell commands: one saves a note to the private database, one queries all notes.
package struct FirstRequests {
    /// The URL of the private database.
    package let database: String
    private let tokens: String
    private let quote: Character

    /// - Parameters:
    ///   - url: The server's URL for clients.
    ///   - quote: The quotation mark around text with tokens: `"` if they are shell variables.
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
