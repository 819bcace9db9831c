import NephosStorage

/// The layout of a data folder.
///
///     nephos.sqlite                              accounts, the list of containers
///     secret.key                                 the key that seals secrets, unless the operator provides another one
///     serve.lock, upgrade.lock                   held by a process that serves, or migrates tables
///     containers/ID/ENVIRONMENT.sqlite           one file for each tenant
///     containers/ID/deleting                     exists from the beginning of the container's deletion
///     containers/.new-…, containers/.gone-…      being created, being removed
struct DataDirectory: Sendable {
    /// Absolute, without symbolic links: the folder itself may be behind one, but nothing in it is (``NoFollow``).
    let path: String

    init(_ path: String) {
        var path = path
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        self.path = NoFollow.resolved(path)
    }

    static let storeFile = "nephos.sqlite"
    var directoryFile: String { "\(path)/\(Self.storeFile)" }
    var secretKey: String { "\(path)/secret.key" }
    var serveLock: String { "\(path)/serve.lock" }
    var upgradeLock: String { "\(path)/upgrade.lock" }
    var containers: String { "\(path)/containers" }

    /// Whether the folder contains anything except the first files of a new store. Their names may end in a number while they are
    /// created.
    func hasOthers() throws(StorageError) -> Bool {
        let own = [directoryFile, secretKey, serveLock, upgradeLock]
        for name in try FileSystem.list(path) where "\(path)/\(name)" != containers {
            guard own.contains(where: { "\(path)/\(name)".hasPrefix($0) }) else { return true }
        }
        guard try FileSystem.exists(containers) else { return false }
        return try !FileSystem.list(containers).isEmpty
    }

    func container(_ id: String) -> String { "\(containers)/\(id)" }
    func tenant(_ tenant: Tenant) -> String { Self.file(of: tenant.environment, in: container(tenant.container)) }
    func deletionMark(_ id: String) -> String { "\(container(id))/deleting" }
    static func file(of environment: Environment, in folder: String) -> String {
        "\(folder)/\(environment.rawValue).sqlite"
    }

    /// A folder name that is not valid for a container, for a folder that is being created or removed.
    func passing(_ kind: TransitionalName) -> String {
        "\(containers)/\(kind.rawValue)\(UInt64.random(in: .min ... .max))"
    }

    enum TransitionalName: String, CaseIterable {
        case new = ".new-"
        case gone = ".gone-"

        /// The meaning of a folder's name; nil for the folder of a container.
        init?(folder name: String) {
            guard let match = Self.allCases.first(where: { name.hasPrefix($0.rawValue) }) else { return nil }
            self = match
        }
    }

    /// Whether a container of this id can be a folder: 1 to 255 letters, digits, `.`, `-`, `_`, not beginning with a dot.
    static func isSafe(_ id: String) -> Bool {
        let bytes = Array(id.utf8)
        guard (1...255).contains(bytes.count), bytes[0] != UInt8(ascii: ".") else { return false }
        return bytes.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
    }
}
