package import CloudKitSchema
package import CloudKitWire
import NephosDomain
package import NephosStorage

/// Why an administrative operation was refused. The text says what happened and what was expected; the interface that shows it
/// (command, dashboard) adds how to proceed.
package enum AdminError: Error, Sendable, Equatable {
    /// A value that is never valid: the caller's mistake.
    case invalid(InvalidValue)
    case noContainer(String)
    case containerExists(String)
    case noAccount(String)
    case accountExists(String)
    /// A text that is not the PEM form of a P-256 public key. It may be a private key, so it is never shown.
    case notPublicKey
    /// The key is already registered in this tenant; its id.
    case keyExists(String)
    /// A schema that is not valid, or that cannot replace the current one.
    case schema(SchemaError)
    /// The environment takes its schema only from development.
    case notInProduction(container: String)
    /// The environment has no such record type.
    case noType(Name, Tenant)
    /// No environment of the container has such a role; the existing roles.
    case noRole(Name, known: [Name])
    /// The container has no such key.
    case noKey(String, container: String)
    /// The environment has no such server key.
    case noServerKey(String, Tenant)
    /// The environment has no such API token.
    case noToken(String, Tenant)
    /// The environment has no such webhook.
    case noWebhook(String, Tenant)
    /// The environment has no such session.
    case noSession(String, Tenant)
    /// The public database has no such index: its type and its parts.
    case noIndex(Name, [String], Tenant)
    /// No deleted record of this name is kept in the trash.
    case notInTrash(Name, Tenant)
    /// A record of this name already exists.
    case recordExists(Name, Tenant)
    /// Another reason, in a sentence.
    case refused(String)
    /// The store failed.
    case storage(StorageError)
}

/// A value that was refused, and what was expected instead.
package struct InvalidValue: Sendable, Equatable {
    /// What the value was used for, for example `container id`.
    package var what: String
    package var value: String
    package var expected: String

    package init(what: String, value: String, expected: String) {
        self.what = what
        self.value = value
        self.expected = expected
    }
}

extension AdminError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .invalid(let wrong):
            "\(wrong.value.debugDescription) is not a valid \(wrong.what). Expected: \(wrong.expected)."
        case .noContainer(let id): "There is no container \(id)."
        case .containerExists(let id): "The container \(id) already exists."
        case .noAccount(let email): "There is no account \(email)."
        case .accountExists(let email): "The account \(email) already exists."
        case .notPublicKey: "This \(Self.publicKeyExpectation)"
        case .keyExists(let id): "This key is registered already. Its id is \(id)."
        case .schema(let error): error.description
        case .notInProduction: "BadRequestException: endpoint not applicable in the environment 'production'."
        case .noType(let name, let tenant): "There is no record type \(name) in \(tenant)."
        case .noRole(let name, let known):
            known.isEmpty
                ? "There is no role \(name). The container has no roles of its own."
                : "There is no role \(name). The roles are: \(known.map(\.text).joined(separator: ", "))."
        case .noKey(let id, let container): "The container \(container) has no key \(id)."
        case .noServerKey(let id, let tenant): "There is no server key \(id) in \(tenant)."
        case .noToken(let id, let tenant): "There is no API token \(id) in \(tenant)."
        case .noWebhook(let id, let tenant): "There is no webhook \(id) in \(tenant)."
        case .noSession(let id, let tenant): "There is no session \(id) in \(tenant)."
        case .noIndex(let type, let parts, let tenant):
            "The public database of \(tenant) has no index on \(parts.joined(separator: " ")) of \(type)."
        case .notInTrash(let name, let tenant): "The trash of \(tenant) contains no record \(name)."
        case .recordExists(let name, _): "The record \(name) already exists."
        case .refused(let reason): reason
        case .storage(let error): error.description
        }
    }

    /// What follows the name of a file that is not a public key.
    package static let publicKeyExpectation =
        "is not a public key. It must be a P-256 public key in PEM form, which begins with -----BEGIN PUBLIC KEY-----."

    /// Wraps the error of a commit or a request.
    package init(_ error: any Error) {
        switch error {
        case let error as AdminError: self = error
        case let error as StorageError: self = .storage(error)
        case let error as SchemaError: self = .schema(error)
        case let error as Refusal: self = .refused(error.reason)
        case let error as WireError: self = .refused(error.reason)
        default: self = .storage(.failed(String(describing: error)))
        }
    }
}
