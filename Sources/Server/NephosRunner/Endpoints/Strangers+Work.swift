import NephosStorage

extension Strangers {
    /// Runs `job` on a thread that may block, in a stranger's slot. The resulting work is carried out like any other work,
    /// outside the slot. `job` is skipped if the client has disconnected by then.
    package func work(
        of request: RawRequest, otherwise tooMany: Work, _ job: @escaping @Sendable () throws -> Work
    ) -> Work {
        let abandonment = request.abandonment
        return .later { done in
            self.enter(of: request.network) { isIn in
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
