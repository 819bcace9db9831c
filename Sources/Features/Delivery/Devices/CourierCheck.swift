package import NephosDomain
package import NephosStorage

/// Checks whether devices may continue to receive their notifications: the credentials they were registered with may have been
/// revoked.
package struct CourierCheck: Sendable {
    private let devices: [DeviceKey]

    package init(_ devices: [DeviceKey]) { self.devices = devices }

    package var reading: ReadSet {
        var set = ReadSet()
        set.ask(DeviceRow.keyed(devices))
        set.sessionsOfDevices = devices
        return set
    }

    /// A device that may receive notifications.
    package struct Admitted: Sendable {
        package var device: DeviceRow
        /// When its session expires; nil without one.
        package var endsAt: Milliseconds?
    }

    /// The result of ``reading`` for each device.
    package func verdicts(_ reading: Reading, now: Milliseconds) -> [DeviceKey: Result<Admitted, Refusal>] {
        let rows = Dictionary(reading[DeviceRow.keyed(devices)].map { ($0.key, $0) }) { first, _ in first }
        let sessions = Dictionary(reading.sessionsOfDevices.map { ($0.id, $0) }) { first, _ in first }
        var verdicts: [DeviceKey: Result<Admitted, Refusal>] = [:]
        for key in devices {
            verdicts[key] = Result { () throws(Refusal) in
                try Self.verdict(rows[key], sessions, reading.catalog, now)
            }
        }
        return verdicts
    }

    private static func verdict(
        _ device: DeviceRow?, _ sessions: [[UInt8]: SessionRow], _ catalog: Catalog, _ now: Milliseconds
    ) throws(Refusal) -> Admitted {
        guard let device, device.channel == .courier else {
            throw .authenticationFailed(
                "this token was not used for a long time, was replaced by newer ones, or its session was revoked: request "
                    + "another with tokens/create")
        }
        let session = sessions[device.sessionID]
        try Admission(device)
            .check("this token", of: device.key.user, catalog: catalog, session: session, now: now)
        return Admitted(device: device, endsAt: session?.expiresAt)
    }
}

/// `aps`: a device requests its notifications with its token.
package struct AskForNotifications: Sendable {
    private let token: CourierToken
    private let check: CourierCheck
    /// The tenant's signing key, with which the token was read.
    package let key: [UInt8]

    /// - Throws: ``Refusal/authenticationFailed(_:)`` for a token that was not created by this tenant.
    package init(_ token: String, key: [UInt8]) throws(Refusal) {
        self.token = try CourierToken(token, key: key)
        self.key = key
        check = CourierCheck([self.token.device])
    }

    /// Includes heads and subscriptions of the device's home database and of the public one.
    package var reading: ReadSet {
        var set = check.reading
        set.databases = [token.device.database, NewUser.publicDatabase]
        for database in set.databases { set.ask(subscriptions(in: database)) }
        return set
    }

    private func subscriptions(in database: DatabaseNumber) -> Scan<SubscriptionRow> {
        SubscriptionRow.of(token.device.user, in: database, limit: 1)
    }

    /// Whether the device's user has subscriptions in their home database, and in the public one.
    package func watches(_ reading: Reading) -> (own: Bool, shared: Bool) {
        func watches(_ database: DatabaseNumber) -> Bool { !reading[subscriptions(in: database)].isEmpty }
        return (watches(token.device.database), watches(NewUser.publicDatabase))
    }

    /// - Throws: ``Refusal/authenticationFailed(_:)`` for a device that is gone, or whose session, API token or key was revoked.
    package func answer(_ reading: Reading, now: Milliseconds) throws(Refusal) -> CourierCheck.Admitted {
        guard let verdict = check.verdicts(reading, now: now)[token.device] else { throw .failed }
        return try verdict.get()
    }
}

extension Admission {
    /// The admission of a device that requests its notifications.
    package init(_ device: DeviceRow) { self.init(token: device.token, session: device.sessionID) }
}
