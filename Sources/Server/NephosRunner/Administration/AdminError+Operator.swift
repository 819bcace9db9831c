import NephosStorage

extension AdminError: OperatorError {
    package func failure(proposing command: (String) -> String) -> Failure {
        let text = [description, next(command)].compactMap(\.self).joined(separator: " ")
        return switch self {
        case .invalid, .notPublicKey: Failure(text, kind: .wrongUsage)
        default: Failure(text)
        }
    }

    /// The command to run next, if there is one.
    private func next(_ command: (String) -> String) -> String? {
        switch self {
        case .invalid, .notPublicKey, .keyExists, .schema, .noRole, .refused, .storage: nil
        case .noKey(_, let container): "See all with: \(command("key list \(container)"))"
        case .noIndex(_, _, let tenant): "See all with: \(command("index list \(tenant.asTyped)"))"
        case .notInTrash(_, let tenant): "See all with: \(command("trash list \(tenant.asTyped)"))"
        case .noWebhook(_, let tenant): "See all with: \(command("webhook list \(tenant.asTyped)"))"
        case .noServerKey(_, let tenant):
            "Each environment has keys of its own. See all with: \(command("key list \(tenant.asTyped)"))"
        case .noToken(_, let tenant): "See all with: \(command("token list \(tenant.asTyped)"))"
        case .noSession(_, let tenant): "See all with: \(command("session list \(tenant.asTyped)"))"
        case .noContainer(let id):
            "See all with: \(command("container list")). Create it with: \(command("container create \(id)"))"
        case .containerExists: "See all with: \(command("container list"))"
        case .noAccount(let email):
            "See all with: \(command("account list")). Create it with: \(command("account create \(email)"))"
        case .accountExists(let email): "Sign it in with: \(command("session create CONTAINER \(email)"))"
        case .notInProduction(let container):
            "Import into development, then: \(command("schema deploy \(container)"))"
        case .noType(_, let tenant): "See all with: \(command("schema export \(tenant.asTyped)"))"
        case .recordExists(let name, let tenant):
            "See it with: \(command("records get \(tenant.asTyped) --record-name \(name)"))"
        }
    }
}

extension Tenant {
    /// In the form in which an operator types it.
    package var asTyped: String {
        environment == .development ? container : "\(container) --environment \(environment.rawValue)"
    }
}
