package import CloudKitWire
import Crypto
package import NephosDomain
package import NephosStorage

/// `tokens/create` and `tokens/register`: registers where the caller is notified of changes (docs/protocol.md, "Devices").
package struct RegisterDevice: Sendable {
    private enum Registration: Sendable {
        /// A new courier device.
        case courier(id: [UInt8])
        /// The courier device of a token created by this tenant.
        case known(DeviceKey)
        /// A phone, by its token in hexadecimal digits.
        case apns(String)
    }

    private let context: RequestContext
    private let registration: Registration
    private let home: DatabaseNumber
    private let user: UserID
    private let client: String
    private let isDevelopment: Bool
    private let own: Scan<DeviceRow>
    /// Devices of any user on the same phone; nil for courier devices.
    private let sameID: Scan<DeviceRow>?
    package let reading: ReadSet

    /// - Parameter newID: 16 random bytes.
    package init(
        creating request: PushTokenRequest, context: RequestContext, newID: [UInt8]
    ) throws(Refusal) {
        try self.init(.courier(id: newID), request, context)
    }

    package init(registering request: PushTokenRequest, context: RequestContext) throws(Refusal) {
        guard let token = request.apnsToken?.text else { throw .badRequest("the key 'apnsToken' is missing") }
        if let digits = Self.hexadecimal(token) {
            try self.init(.apns(digits), request, context)
        } else if let known = try? CourierToken(token, key: context.signingKey),
            known.device.user == context.caller.user
        {
            try self.init(.known(known.device), request, context)
        } else {
            throw .badRequest(
                "apnsToken must be a device token (64 to 200 hexadecimal digits), or a token that tokens/create of this "
                    + "container created for you")
        }
    }

    private init(_ registration: Registration, _ request: PushTokenRequest, _ context: RequestContext) throws(Refusal) {
        (user, home) = try Self.owner(context)
        self.context = context
        self.registration = registration
        client = try Self.client(request.clientID, context)
        isDevelopment = request.apnsEnvironment == .development
        var set = ReadSet()
        // The lock on its head serializes concurrent registrations of a person.
        set.databases = [home]
        own = DeviceRow.of([(user, home)])
        set.ask(own)
        if case .apns(let token) = registration {
            let same = DeviceRow.withID(Self.id(of: token))
            set.ask(same)
            sameID = same
        } else {
            sameID = nil
        }
        reading = set
    }

    private static func owner(_ context: RequestContext) throws(Refusal) -> (UserID, DatabaseNumber) {
        switch context.caller {
        case .person(let session): (session.user, session.privateDatabase)
        case .serverKey(let user): (user, NewUser.publicDatabase)
        case .anonymous, .administrator: throw .authenticationRequired
        }
    }

    /// The client ID in the body, otherwise that of the URL.
    private static func client(_ name: Name?, _ context: RequestContext) throws(Refusal) -> String {
        guard let name else { return context.client }
        guard PushTokenRequest.isClientID(name) else {
            throw .badRequest(
                "clientId must have at most \(PushTokenRequest.clientIDBytesMax) bytes and no control characters")
        }
        return name.text
    }

    /// A device token as hexadecimal digits in lower case; nil for other texts.
    private static func hexadecimal(_ token: String) -> String? {
        let digits = token.lowercased()
        return Hexadecimal.bytes(digits).map { (32...100).contains($0.count) } == true ? digits : nil
    }

    /// A phone has the same ID regardless of who signs in on it.
    private static func id(of token: String) -> [UInt8] {
        Array(SHA256.hash(data: Array(token.utf8)).prefix(DeviceRow.idBytes))
    }

    package func decide(_ reading: Reading) throws(Refusal) -> Decision<DeviceRow> {
        var set = WriteSet()
        let own = reading[own]
        let device: DeviceRow
        switch registration {
        case .known(let key):
            guard let old = own.first(where: { $0.key == key }) else {
                throw .badRequest("this token no longer exists: request another with tokens/create")
            }
            device = old.refreshed(client: client, isDevelopment, admission, now: context.now)
            if device != old { set.put(device, replacing: old) }
        case .courier(let id): device = row(id, .courier, address: "")
        case .apns(let token): device = row(Self.id(of: token), .apns, address: token)
        }
        if case .known = registration { return .write(set, device) }
        let known = own.first { $0.key == device.key }
        var next = device
        if let known {
            next.createdAt = known.createdAt
            // Recording the last use at this resolution is sufficient.
            if context.now - known.usedAt < NoteDevicePoll.resolution { next.usedAt = known.usedAt }
            if next == known { return .write(set, next) }
        }
        // After another person signs in on a phone, it is notified of that person's changes only.
        for former in sameID.map({ reading[$0] }) ?? [] where former.key != device.key { set.remove(former) }
        let alike = own.filter { $0.channel == next.channel && $0.key != known?.key }
        for old in Self.leastUsed(of: alike, max: context.limits.devicesMax - 1) { set.remove(old) }
        set.put(next, replacing: known)
        return .write(set, next)
    }

    private func row(_ id: [UInt8], _ channel: DeviceRow.Channel, address: String) -> DeviceRow {
        DeviceRow(
            key: DeviceKey(database: home, user: user, id: id), channel: channel, client: client,
            isDevelopment: isDevelopment, address: address, session: admission.session,
            token: channel == .courier ? admission.token : [], createdAt: context.now)
    }

    /// The session and API token to store. Only courier devices keep the API token, because a page is admitted by it at each poll; a
    /// phone belongs to its person, whatever API token the next version of the app sends.
    private var admission: Admission {
        guard case .person(let session) = context.caller else { return Admission() }
        return Admission(token: context.admission.token, session: session.id)
    }

    /// The least recently used devices, which are removed to make room for one more.
    private static func leastUsed(of devices: [DeviceRow], max: Int) -> ArraySlice<DeviceRow> {
        let byUse = devices.sorted { ($0.usedAt, $0.createdAt) < ($1.usedAt, $1.createdAt) }
        return byUse.prefix(Swift.max(devices.count - max, 0))
    }
}

extension DeviceRow {
    fileprivate func refreshed(
        client: String, _ isDevelopment: Bool, _ admission: Admission, now: Milliseconds
    ) -> DeviceRow {
        var row = self
        row.secret = Secret([])
        row.session = admission.session
        row.token = admission.token
        row.client = client
        row.isDevelopment = isDevelopment
        row.usedAt = max(usedAt, now)
        return row
    }
}
