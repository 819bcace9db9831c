package import CloudKitWire
package import NephosDomain
package import NephosStorage

/// Whose records to access, and as whom.
package struct RecordPlace: Sendable {
    package var tenant: Tenant
    package var scope: DatabaseScope
    /// A web auth token: requests run as that person. If nil, requests run as the server's administrator, whom no grant restricts
    /// and who reaches only the public database.
    package var session: String?
    /// Requests run as this person, without a session: what an operator does to what the person owns.
    package private(set) var person: UserRow?
    /// The zone of somebody else that requests name, for the shared database.
    package var sharedZone: ForeignZoneName?

    package init(
        tenant: Tenant, scope: DatabaseScope, session: String?, sharedZone: ForeignZoneName? = nil
    ) {
        self.tenant = tenant
        self.scope = scope
        self.session = session
        self.sharedZone = sharedZone
    }

    /// What a person owns, as they see it. - Parameter person: Whom the caller has checked that the operator may act for.
    package init(privateDatabaseOf person: UserRow, in tenant: Tenant) {
        self.init(tenant: tenant, scope: .private, session: nil)
        self.person = person
    }
}

extension Administration {
    /// How many times a request is retried because the schema changed while it ran.
    package static let requestAttemptsMax = 8

    /// Carries out `records/modify`. Returns the outcome of each operation, in order.
    package func modifyRecords(
        _ request: RecordsModifyRequest, in place: RecordPlace
    ) async throws(AdminError) -> [ModifyRecords.Outcome] {
        let store = try store(place.tenant)
        do {
            var names = request.operations.map { _ in Name(inputs.uuid()) }[...]
            let made = names
            for _ in 0..<Self.requestAttemptsMax {
                let context = try context(of: place, store)
                names = made
                let operation = try ModifyRecords(request, context: context) { names.popFirst() ?? "" }
                let catalog = context.catalog
                do {
                    let answer = try await write(to: store, operation.reading) { reading in
                        guard reading.catalog.isSame(as: catalog) else { throw CatalogMoved(to: reading.catalog) }
                        return try operation.decide(reading)
                    }
                    return answer.items.map(\.outcome)
                } catch is CatalogMoved {
                    continue
                }
            }
        } catch {
            throw AdminError(error)
        }
        throw .refused("The schema keeps changing. Try again.")
    }

    /// The context that a request is checked against. - Throws: ``AdminError/refused(_:)`` for a session that is not valid.
    package func context(of place: RecordPlace, _ store: any TenantStore) throws -> RequestContext {
        var set = ReadSet()
        let id = place.session.flatMap(WebAuthToken.sessionID(of:))
        let sessions = SessionRow.keyed(id.map { [$0] } ?? [])
        set.ask(sessions)
        let reading = try store.read(set)
        var caller = Caller.administrator
        if let token = place.session {
            guard let session = reading[sessions].first, session.revokedAt == 0,
                session.expiresAt > inputs.now(), WebAuthToken.isValid(token, for: session)
            else {
                throw AdminError.refused(
                    "The session has expired, or does not belong to \(place.tenant). Create another with nephos session create."
                )
            }
            caller = .person(session)
        } else if let person = place.person {
            // It is not stored, so nobody can use it.
            caller = .person(
                SessionRow(
                    id: [], user: person.id, privateDatabase: person.privateDatabase, secret: [],
                    createdAt: inputs.now(), expiresAt: inputs.now()))
        } else if place.scope != .public {
            throw AdminError.refused("The \(place.scope.rawValue) database needs a person's session.")
        }
        var foreign: ForeignZones?
        if let zone = place.sharedZone, let session = caller.session {
            var search = ForeignZoneSearch([zone], of: session)
            let found = try search.zones { set throws(StorageError) in try store.read(set) }
            foreign = ForeignZones(of: session, known: [:], signingKey: reading.catalog.head.signingKey)
                .adding(found, lookedUp: [zone], of: session)
        }
        return RequestContext(
            catalog: reading.catalog, caller: caller, scope: place.scope, now: inputs.now(),
            operatorName: inputs.author, foreign: foreign)
    }
}
