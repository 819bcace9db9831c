import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

/// Whom the person of an account lets in, and what they have not been told.
extension AccountPlaces {
    /// For so many days an operator may be let in.
    static let daysMax = 7

    /// Lets an operator act as the person in one place, in the place of what was said before.
    ///
    /// - Parameters:
    ///   - days: 1 to ``daysMax``; nil takes it back, and ends the sessions that operators made.
    ///   - done: Called once, on any thread.
    func letOperatorIn(
        _ home: Home, days: Int?, id: [UInt8], at now: Milliseconds,
        _ done: @escaping @Sendable (Result<Void, any Error>) -> Void
    ) {
        let user = home.user.id
        let (grants, revoke) = (
            AccessRow.grants(of: user), RevokeSessions(.fixed, of: user, home: home.user.privateDatabase, now: now)
        )
        var set = days == nil ? revoke.reading : ReadSet()
        set.ask(grants)
        worker.runner.commit(set, to: home.store) { reading -> Decision<Void> in
            var writes = WriteSet()
            if days == nil, case .write(let ended, _) = revoke.decide(reading) { writes = ended }
            for grant in reading[grants] where now < grant.until {
                var over = grant
                over.until = now
                writes.put(over, replacing: grant)
            }
            if let days {
                writes.put(
                    AccessRow(
                        user: user, at: now, id: id, kind: .grant, who: "",
                        until: now + Milliseconds(days) * 86_400_000))
            }
            return .write(writes, ())
        } completion: {
            done($0)
        }
    }

    /// What others did without being let in, and the person has not been told, with where. May wait.
    func untold(of account: String) throws -> [(home: Home, access: AccessRow)] {
        try homes(of: account) { $0.environment == .production }.flatMap { home in
            try home.store.rows(AccessRow.untold(of: home.user.id, limit: Self.accessesShown)).map { (home, $0) }
        }
    }

    /// Notes that they have been told of all until a time.
    ///
    /// - Parameters:
    ///   - chosen: When the password of now was set; 0 where there is none. As long as it is an operator's, it may be they who read this: that is told
    ///     again at each sign-in, until there is another.
    ///   - done: Called once, on any thread.
    func tell(
        _ homes: ArraySlice<Home>, until time: Milliseconds, chosen: Milliseconds,
        _ done: @escaping @Sendable (Result<Void, any Error>) -> Void
    ) {
        guard let home = homes.first else { return done(.success(())) }
        let untold = AccessRow.untold(of: home.user.id, limit: Self.accessesShown)
        var set = ReadSet()
        set.ask(untold)
        worker.runner.commit(set, to: home.store) { reading -> Decision<Void> in
            var writes = WriteSet()
            for access in reading[untold]
            where access.at <= time && (access.kind != .password || chosen == 0 || access.at < chosen) {
                var told = access
                told.isUntold = false
                writes.put(told, replacing: access)
            }
            return .write(writes, ())
        } completion: { result in
            switch result {
            case .success, .failure(StorageError.noSuchTenant):
                tell(homes.dropFirst(), until: time, chosen: chosen, done)
            case .failure: done(result)
            }
        }
    }
}
