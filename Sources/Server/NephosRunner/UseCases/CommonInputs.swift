package import NephosStorage

extension Input where Value == String {
    package static var container: Input { argument("container", help: "The container's id.") }
}

extension Input where Value == Environment {
    package static var environment: Input<Environment> {
        option("environment", default: .development, help: "The container's environment.")
    }
}

extension Input where Value == Tenant {
    /// A container and one of its two environments.
    package static var tenant: Input<Tenant> {
        Input(.container, .environment) { container, environment in
            Tenant(container: container, environment: environment)
        }
    }
}

extension Input where Value == Int {
    /// A number in a history.
    package static var version: Input {
        argument("version", help: "Its number in the history.").refusing("A version must be at least 1.") { $0 > 0 }
    }

    /// The maximum length of a list.
    package static func lines(default standard: Int = 1_000, help: String = "Lines to print, up to 10000.")
        -> Input
    {
        option("limit", default: standard, help: help)
            .refusing("A limit must be from 1 to 10000.") { (1...10_000).contains($0) }
    }
}

extension Input where Value == Bool {
    /// Confirms an operation that cannot be undone; see ``UseCaseCall/confirm(_:typing:unless:)``. Every use case that destroys has it.
    package static var yes: Input { flag("yes", short: "y", help: "Skip the prompt.") }
}
