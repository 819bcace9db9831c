extension BodyReader {
    /// Reads the whole body on `threads`, piece by piece, and answers. No thread waits for the client: each piece is a separate
    /// job, and the next piece is requested when it is done.
    ///
    /// - Parameters:
    ///   - consume: Called with each piece, in order; may block. An error ends the reading.
    ///   - finish: Called once at the end, on one of the threads: with success when the whole body was consumed, otherwise with
    ///     the error of `consume`, or with the ``Ending`` that aborted the body. Returns the answer, which is discarded in the
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
