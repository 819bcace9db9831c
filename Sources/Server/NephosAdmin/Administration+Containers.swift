import NephosDomain
package import NephosRunner
import NephosStorage

extension Administration {
    /// Creates a container with both its environments, each with the standard roles and an empty schema.
    ///
    /// - Parameters:
    ///   - id: 1 to 255 letters, digits, `.`, `-`, `_`; not starting with `.`.
    ///   - isListable: Whether queries may list all records of types that are created by saves in development.
    /// - Throws: ``AdminError/containerExists(_:)``.
    package func createContainer(_ id: String, isListable: Bool = false) throws(AdminError) {
        let id = try Validation.containerID(id)
        let now = inputs.now()
        let seeds = Environment.allCases.map { environment in
            TenantSeed.standard(
                tenant: Tenant(container: id, environment: environment), signingKey: inputs.randomBytes(32),
                fileKey: inputs.randomBytes(32), now: now, isListable: isListable && environment == .development)
        }
        do {
            try engine.createContainer(ContainerRow(id: id, createdAt: now), seeds: seeds)
        } catch {
            throw error == .exists ? .containerExists(id) : .storage(error)
        }
    }

    /// The ids of all containers, in byte order.
    package func containers() throws(AdminError) -> [String] {
        let rows = try stored { () throws(StorageError) in try engine.containers() }
        return rows.map(\.id).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// Deletes a container and everything in it, in both environments. This cannot be undone.
    ///
    /// - Throws: ``AdminError/noContainer(_:)``.
    package func deleteContainerAndEverythingInIt(_ id: String) throws(AdminError) {
        let id = try Validation.containerID(id)
        do {
            try engine.deleteContainer(id, at: inputs.now())
        } catch {
            throw error == .noSuchTenant ? .noContainer(id) : .storage(error)
        }
    }
}
