package import NephosStorage

/// What a command created, alone on standard output, with a note of what it is.
extension UseCaseAnswer {
    package static func apiToken(_ token: String, of tenant: Tenant) -> UseCaseAnswer {
        .text(token).noting("An API token of \(tenant). Clients send it as ckAPIToken; it is not shown again.")
    }

    package static func webAuthToken(_ token: String, of email: String, in tenant: Tenant) -> UseCaseAnswer {
        .text(token).noting(
            "A web auth token of \(email) for \(tenant). Clients send it as ckWebAuthToken, with an API token.")
    }

    package static func account(_ id: String, of email: String, _ call: any UseCaseCall) -> UseCaseAnswer {
        .text(id).noting(
            "The id of the new account \(email). Sign it in with: \(call.command("session create CONTAINER \(email)"))")
    }
}
