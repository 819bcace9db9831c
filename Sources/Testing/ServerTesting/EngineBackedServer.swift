import NephosAdmin
package import NephosRunner
import NephosStorage
package import NephosTesting

/// A server whose engine is in this process. The setup common to all tests calls the use cases directly: parsing arguments and
/// opening the store again would take most of a test's time.
package protocol EngineBackedServer: TestServer {
    var administration: Administration { get }
}

extension EngineBackedServer {
    package func createContainer(_ id: String) throws { try administration.createContainer(id) }

    package func createToken(_ container: String, _ environment: String) throws -> String {
        let (administration, tenant) = (administration, try tenant(container, environment))
        return try noting { try await administration.createAPIToken(in: tenant) }
    }

    package func createAccount(_ email: String, name: String) throws {
        _ = try administration.createAccount(email: email, name: name)
    }

    package func createSession(_ container: String, _ environment: String, _ email: String) throws -> String {
        let (administration, tenant) = (administration, try tenant(container, environment))
        return try noting { try await administration.createSession(in: tenant, email: email) }
    }

    private func tenant(_ container: String, _ environment: String) throws -> Tenant {
        guard let environment = Environment(rawValue: environment) else { throw UnknownEnvironment(name: environment) }
        return Tenant(container: container, environment: environment)
    }

    private func noting(_ make: @escaping @Sendable () async throws -> String) throws -> String {
        let secret = try blocking { () async -> Result<String, any Error> in
            do { return .success(try await make()) } catch { return .failure(error) }
        }.get()
        IssuedSecrets.note(secret, of: command.data)
        return secret
    }
}

private struct UnknownEnvironment: Error { var name: String }

extension Administration {
    init(engine: any StorageEngine, clock: @escaping @Sendable () -> Milliseconds) {
        self.init(
            engine: engine,
            inputs: Inputs(now: clock, randomBytes: { count in (0..<count).map { _ in .random(in: .min ... .max) } }))
    }
}
