import NephosStorage

extension Strangers {
    /// Has `job` done on a thread that may wait, when it is a stranger's turn. What it answers is carried out as any other
    /// work, and no stranger's any more. Nothing is done for who has gone when the turn comes.
    package func work(
        of request: RawRequest, otherwise tooMany: Work, _ job: @escaping @Sendable () throws -> Work
    ) -> Work {
        let abandonment = request.abandonment
        return .later { done in
            self.enter { isIn in
                guard isIn else { return done(tooMany) }
                done(
                    .blocking {
                        defer { self.leave() }
                        return abandonment?.isAbandoned == true ? tooMany : try job()
                    })
            }
        }
    }
}
