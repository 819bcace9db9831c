import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

/// Permissions that the person of an account gives, and accesses they have not been notified of.
extension AccountPlaces {
    /// The maximum number of days for which an operator may be permitted.
    static let daysMax = 7

    /// Permits an operator to act as the person in one place; replaces any earlier permission.
    ///
    /// - Parameters:
    ///   - days: 1 to ``daysMax``; nil revokes the permission and ends the sessions that operators created.
    ///   - done: Called once, on any thread.
    func permitOperator(
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

    /// Accesses that the person has yet to be notified of, with their place. May block.
    func unannounced(of account: String) throws -> [(home: Home, access: AccessRow)] {
        try homes(of: account) { $0.environment == .production }.flatMap { home in
            try home.store.rows(AccessRow.unannounced(of: home.user.id, limit: Self.accessesShown)).map { (home, $0) }
        }
    }

    /// Records that they have been notified of accesses up to a time.
    ///
    /// - Parameters:
    ///   - chosen: When the current password was set; 0 if there is none. While it is one that an operator set, the reader may be
    ///     that operator, so the access is shown again at each sign-in until another password is set.
    ///   - done: Called once, on any thread.
    func markAnnounced(
        _ homes: ArraySlice<Home>, until time: Milliseconds, chosen: Milliseconds,
        _ done: @escaping @Sendable (Result<Void, any Error>) -> Void
    ) {
        guard let home = homes.first else { return done(.success(())) }
        let unannounced = AccessRow.unannounced(of: home.user.id, limit: Self.accessesShown)
        var set = ReadSet()
        set.ask(unannounced)
        worker.runner.commit(set, to: home.store) { reading -> Decision<Void> in
            var writes = WriteSet()
            for access in reading[unannounced]
            where access.at <= time && (access.kind != .password || chosen == 0 || access.at < chosen) {
                var announced = access
                announced.isUnannounced = false
                writes.put(announced, replacing: access)
            }
            return .write(writes, ())
        } completion: { result in
            switch result {
            case .success, .failure(StorageError.noSuchTenant):
                markAnnounced(homes.dropFirst(), until: time, chosen: chosen, done)
            case .failure: done(result)
            }
        }
    }
}
