package import NephosStorage

extension Administration {
    /// Adds to a schema change the jobs of features that follow schema changes (``Feature/jobOfSchema``), in the same
    /// transaction.
    package func withSchemaWork<Answer>(_ decision: Decision<Answer>) -> Decision<Answer> {
        switch decision {
        case .write(var writes, let answer):
            for job in features.compactMap(\.jobOfSchema) { writes.ask(for: job, at: inputs.now()) }
            return .write(writes, answer)
        case .need(let more, let resume):
            guard let resume else { return decision }
            return .need(more) { reading in withSchemaWork(try resume(reading)) }
        }
    }
}
