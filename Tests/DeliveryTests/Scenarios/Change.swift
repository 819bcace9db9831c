import NephosTesting
import Testing

/// A change of one record, with its author.
struct Change: Sendable {
    enum Kind: String, CaseIterable, Sendable {
        case create, update, delete

        /// `fo` in its notification (docs/protocol.md B5).
        var reason: JSON {
            switch self {
            case .create: 1
            case .update: 2
            case .delete: 3
            }
        }
    }

    enum Author: Sendable, CustomStringConvertible {
        /// A device that identifies itself.
        case device(Party.Who)
        /// The user of a device, in a request without `clientId`.
        case nameless(Party.Who)
        /// A user with the `clientId` of another user's device.
        case disguised(Party.Who, as: Party.Who)
        /// The server-to-server key.
        case server

        var description: String {
            switch self {
            case .device(let who): "\(who)"
            case .nameless(let who): "the person of \(who), nameless"
            case .disguised(let who, let other): "\(who) under the name of \(other)"
            case .server: "a server"
            }
        }

        func client(_ party: Party) throws -> CloudKitClient {
            switch self {
            case .device(let who): return try party[who].client
            case .nameless(let who): return try party[who].nameless
            case .disguised(let who, let other):
                let client = try party[who].nameless
                client.query = try party[other].client.query
                return client
            case .server: return party.server
            }
        }
    }

    static let name = "it"

    var kind: Kind
    var type: String
    var author: Author
    var database: Database
    var zone: String?

    /// Creates the preconditions. Notifications of these are not those of the change itself.
    func prepare(_ party: Party) throws {
        guard kind != .create else { return }
        try author.client(party).create(type, Self.name, zone: zone, in: database)
    }

    func make(_ party: Party) throws {
        let operation =
            switch kind {
            case .create: "create"
            case .update: "forceUpdate"
            case .delete: "forceDelete"
            }
        try author.client(party).change(operation, type, Self.name, ["n": ["value": 1]], zone: zone, in: database)
    }

    func cleanUp(_ party: Party) throws {
        guard kind != .delete else { return }
        try author.client(party).change("forceDelete", type, Self.name, zone: zone, in: database)
    }
}

extension Party {
    /// A payload without a visible part: aps is empty (docs/protocol.md B5).
    ///
    /// - Parameters:
    ///   - kind: `qry`, `fet` or `met`.
    ///   - notification: The received notification, whose `nid` is copied if it is a UUID.
    func payload(_ kind: String, _ dictionary: JSON, to who: Who, _ notification: JSON, aps: JSON = [:]) throws -> JSON
    {
        let id = notification["ck"]["nid"]
        #expect(id.string?.wholeMatch(of: /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/) != nil, "\(notification)")
        var ck: JSON = [
            "ce": 2, "cid": .string(container.id), "ckuserid": .string(try self[who].client.userName()), "nid": id,
            "aux": [:],
        ]
        ck[kind] = dictionary
        return ["aps": aps, "ck": ck]
    }
}
