import NephosRunner
import NephosStorage

extension Input where Value == [String] {
    /// Other containers to which the same change is made.
    static var also: Input {
        option("also", valueName: "container", takesSeveral: true, help: "Other containers in which to do the same.")
    }
}

extension Tenant {
    /// This environment, and the same one of other containers.
    func all(with others: [String]) -> [Tenant] {
        [self] + others.filter { $0 != container }.map { Tenant(container: $0, environment: environment) }
    }

    /// Runs an operation in a container and in others, one by one: containers share no transaction. Running it again completes
    /// what failed.
    ///
    /// - Returns: The result for each, with the name of the container if there are several; throws if any of them failed.
    func each(
        with others: [String], _ body: (Tenant) async throws -> UseCaseAnswer
    ) async throws -> UseCaseAnswer {
        guard !others.isEmpty else { return try await body(self) }
        var (answer, failed): (UseCaseAnswer, [String]) = (.nothing, [])
        for tenant in all(with: others) {
            answer = answer.noting("\(tenant.container):")
            do {
                answer = answer.then(try await body(tenant))
            } catch is CancellationError {
                throw CancellationError()
            } catch {
                answer = answer.noting("\(error)")
                failed.append(tenant.container)
            }
        }
        guard !failed.isEmpty else { return answer }
        return answer.failing("Not done in \(failed.joined(separator: ", ")).")
    }
}
