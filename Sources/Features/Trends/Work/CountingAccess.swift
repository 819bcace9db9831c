import NephosDomain
import NephosRunner
import NephosStorage

/// How the work on trends reaches a store.
protocol CountingAccess: Sendable {
    func read(_ set: ReadSet) async throws -> Reading
    func commit<Answer: Sendable>(
        _ set: ReadSet, _ decide: @escaping @Sendable (Reading) throws -> Decision<Answer>
    ) async throws -> Answer
}

/// As a job of a server, for as long as it is this server's.
struct JobAccess: CountingAccess {
    let worker: Worker
    let run: JobRun
    let store: any TenantStore

    func read(_ set: ReadSet) async throws -> Reading { try await worker.read(set, from: store) }

    func commit<Answer: Sendable>(
        _ set: ReadSet, _ decide: @escaping @Sendable (Reading) throws -> Decision<Answer>
    ) async throws -> Answer {
        let answer = try await worker.runner.commit(set, to: store, decide: decide)
        try await run.keep()
        return answer
    }
}

/// By a command, beside servers that may do the same.
struct CommandAccess: CountingAccess {
    let administration: Administration
    let store: any TenantStore

    func read(_ set: ReadSet) async throws -> Reading { try administration.read(store, set) }

    func commit<Answer: Sendable>(
        _ set: ReadSet, _ decide: @escaping @Sendable (Reading) throws -> Decision<Answer>
    ) async throws -> Answer {
        try await administration.commit(to: store, set, decide)
    }
}
