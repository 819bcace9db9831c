import NephosDomain
import NephosRunner
import NephosStorage

/// How the work on trends accesses a store.
protocol CountingAccess: Sendable {
    func read(_ set: ReadSet) async throws -> Reading
    func commit<Answer: Sendable>(
        _ set: ReadSet, _ decide: @escaping @Sendable (Reading) throws -> Decision<Answer>
    ) async throws -> Answer
}

/// Access for a job, as long as this server holds its lease.
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

/// Access for a command, which may run beside servers that do the same.
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
