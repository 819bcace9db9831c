import NephosDomain
package import NephosStorage

extension Decision<ModifyRecords.Answer> {
    /// The same decision, which throws if any part of it is refused.
    package func refused() throws -> Self {
        switch self {
        case .write(_, let answer):
            for case .refused(let refusal) in answer.items.map(\.outcome) { throw refusal }
            return self
        case .need(let more, let resume):
            guard let resume else { return self }
            return .need(more) { (reading: Reading) throws -> Self in try resume(reading).refused() }
        }
    }
}
