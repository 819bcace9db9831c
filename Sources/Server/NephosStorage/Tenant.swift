/// One of the two separate environments of a container: each has its own data, schema, users and tokens.
public enum Environment: String, Sendable, Hashable, CaseIterable, Codable {
    /// Where the app is developed: saves extend the schema.
    case development
    /// Where the app is used: the schema is what was deployed last.
    case production
}

/// A container in one environment: the unit that is stored, opened and backed up as a whole.
public struct Tenant: Sendable, Hashable, CustomStringConvertible {
    /// The ID of the container.
    public let container: String
    /// Which of its two environments.
    public let environment: Environment

    /// Names a tenant; whether it exists is not looked at.
    public init(container: String, environment: Environment) {
        self.container = container
        self.environment = environment
    }

    public var description: String { "\(container)/\(environment.rawValue)" }
}
