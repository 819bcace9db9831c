import NephosDomain
package import NephosStorage

extension StorageEngine {
    /// Creates a container and opens it in one of its environments.
    package func createContainer(of tenant: Tenant) throws -> any TenantStore {
        try createContainer(
            ContainerRow(id: tenant.container, createdAt: 1),
            seeds: Environment.allCases.map {
                .standard(
                    tenant: Tenant(container: tenant.container, environment: $0),
                    signingKey: .init(repeating: 1, count: 32), fileKey: .init(repeating: 2, count: 32), now: 1)
            })
        guard let store = try open(tenant) else { throw NoContainer(tenant: tenant) }
        return store
    }
}

/// A newly created container does not exist.
private struct NoContainer: Error, CustomStringConvertible {
    var tenant: Tenant

    var description: String { "\(tenant) does not exist, although it was created" }
}
