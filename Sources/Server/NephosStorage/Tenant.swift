/// One of the two separate environments of a container: each has its own data, schema, users and tokens.
public enum Environment: String, Sendable, Hashable, CaseIterable, Codable {
    /// The environment in which the app is developed: saves extend the schema.
    case development
    /// The environment in which the app is used: its schema is the one that was deployed last.
    case production
}

/// A container in one of its environments: the unit that is stored, opened and backed up as a whole.
public struct Tenant: Sendable, Hashable, CustomStringConvertible {
    /// The ID of the container.
    public let container: String
    /// One of the two environments of the container.
    public let environment: Environment

    /// Creates the identifier of a tenant, without checking whether the tenant exists.
    public init(container: String, environment: Environment) {
        self.container = container
        self.environment = environment
    }

    public var description: String { "\(container)/\(environment.rawValue)" }
}
