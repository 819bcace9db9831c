extension BodyReader {
    /// Reads the body to its end on `threads`, piece after piece, and answers. No thread waits for the client: each piece
    /// is a job of its own, and the next is asked for when it is done.
    ///
    /// - Parameters:
    ///   - consume: Called with each piece, one after the other; may wait. What it throws ends the reading.
    ///   - finish: Called once at the end, on one of the threads: with success when the whole body was consumed, else with
    ///     what `consume` threw, or with the ``Ending`` that broke the body off. Says the answer, which goes nowhere in the
    ///     last case.
    package func forEach(
        on threads: any WaitingThreads, consume: @escaping @Sendable (any RequestBytes) throws -> Void,
        finish: @escaping @Sendable (Result<Void, any Error>) -> Work
    ) {
        next { piece in
            threads.perform { _ in
                switch piece {
                case .bytes(let bytes):
                    do {
                        try consume(bytes)
                    } catch {
                        self.answer(finish(.failure(error)))
                        return
                    }
                    self.forEach(on: threads, consume: consume, finish: finish)
                case .end: self.answer(finish(.success(())))
                case .broken(let ending): self.answer(finish(.failure(ending)))
                }
            }
        }
    }
}
