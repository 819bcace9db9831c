public import ArgumentParser
public import NephosStorage

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

extension Environment: ExpressibleByArgument {}
