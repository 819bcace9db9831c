package import NephosDomain
package import NephosStorage

/// The refused operations of a request of which all or none were to be carried out, by their places.
package struct RefusedOperations: Error {
    package let refusals: [(place: Int, refusal: Refusal)]
}

extension Decision<ModifyRecords.Answer> {
    /// The same decision, which fails if any part of it is refused.
    ///
    /// - Throws: The first refusal.
    package func refused() throws -> Self {
        try failing { refusals in refusals[0].refusal }
    }

    /// The same decision, which fails if any part of it is refused.
    ///
    /// - Throws: ``RefusedOperations``.
    package func allOrNothing() throws -> Self { try failing(RefusedOperations.init) }

    private func failing(_ error: @escaping @Sendable ([(place: Int, refusal: Refusal)]) -> any Error) throws -> Self {
        switch self {
        case .write(_, let answer):
            let refusals = answer.items.enumerated().compactMap { place, item -> (place: Int, refusal: Refusal)? in
                if case .refused(let refusal) = item.outcome { (place, refusal) } else { nil }
            }
            if !refusals.isEmpty { throw error(refusals) }
            return self
        case .need(let more, let resume):
            guard let resume else { return self }
            return .need(more) { (reading: Reading) throws -> Self in try resume(reading).failing(error) }
        }
    }
}
