import NephosRunner
import NephosStorage

extension Input where Value == [String] {
    /// Other containers to which the same change is made.
    static var also: Input {
        option("also", valueName: "container", takesSeveral: true, help: "Other containers in which to do the same.")
    }
}

extension Tenant {
    /// Runs an operation in a container and in others, one by one: containers share no transaction. Running it again completes
    /// what failed.
    ///
    /// - Returns: The result for each, with the name of the container if there are several; throws if any of them failed.
    func each(
        with others: [String], _ body: (Tenant) async throws -> UseCaseAnswer
    ) async throws -> UseCaseAnswer {
        guard !others.isEmpty else { return try await body(self) }
        var (answer, failed): (UseCaseAnswer, [String]) = (.nothing, [])
        for container in [container] + others.filter({ $0 != container }) {
            answer = answer.noting("\(container):")
            do {
                answer = answer.then(try await body(Tenant(container: container, environment: environment)))
            } catch is CancellationError {
                throw CancellationError()
            } catch {
                answer = answer.noting("\(error)")
                failed.append(container)
            }
        }
        guard !failed.isEmpty else { return answer }
        return answer.failing("Not done in \(failed.joined(separator: ", ")).")
    }
}
