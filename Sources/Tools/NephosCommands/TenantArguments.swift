public import ArgumentParser
package import NephosStorage

/// A container and one of its two environments.
struct TenantArguments: ParsableArguments {
    @Argument(help: "The container's id.")
    var container: String
    @OptionGroup var environment: EnvironmentOption

    var tenant: Tenant { environment.tenant(of: container) }
}

struct EnvironmentOption: ParsableArguments {
    @Option(help: "The container's environment.")
    var environment: Environment = .development

    func tenant(of container: String) -> Tenant { Tenant(container: container, environment: environment) }
}

/// How long a list may be.
struct LinesOption: ParsableArguments {
    @Option(help: "Most lines, up to 10000.")
    var limit = 1_000

    func validate() throws {
        guard (1...10_000).contains(limit) else { throw ValidationError("A limit is 1 to 10000.") }
    }
}

extension Environment: ExpressibleByArgument {}
