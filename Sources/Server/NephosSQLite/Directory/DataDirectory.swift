import NephosStorage

/// Where things lie in a data folder.
///
///     nephos.sqlite                              accounts, the list of containers
///     secret.key                                 under which secrets are sealed, where the operator gives no other
///     serve.lock, upgrade.lock                   held by whoever serves, whoever brings tables up to date
///     containers/ID/ENVIRONMENT.sqlite           one file for each tenant
///     containers/ID/deleting                     there from the beginning of the container's deletion on
///     containers/.new-…, containers/.gone-…      on its way in, on its way out
struct DataDirectory: Sendable {
    let path: String

    init(_ path: String) {
        var path = path
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        self.path = path
    }

    var directoryFile: String { "\(path)/nephos.sqlite" }
    var secretKey: String { "\(path)/secret.key" }
    var serveLock: String { "\(path)/serve.lock" }
    var upgradeLock: String { "\(path)/upgrade.lock" }
    var containers: String { "\(path)/containers" }

    func container(_ id: String) -> String { "\(containers)/\(id)" }
    func tenant(_ tenant: Tenant) -> String { Self.file(of: tenant.environment, in: container(tenant.container)) }
    func deletionMark(_ id: String) -> String { "\(container(id))/deleting" }
    static func file(of environment: Environment, in folder: String) -> String {
        "\(folder)/\(environment.rawValue).sqlite"
    }

    /// A folder that no container can be called, for one that is being made or removed.
    func passing(_ kind: Passage) -> String {
        "\(containers)/\(kind.rawValue)\(UInt64.random(in: .min ... .max))"
    }

    enum Passage: String, CaseIterable {
        case new = ".new-"
        case gone = ".gone-"

        /// What a folder's name tells; nil for the folder of a container.
        init?(folder name: String) {
            guard let match = Self.allCases.first(where: { name.hasPrefix($0.rawValue) }) else { return nil }
            self = match
        }
    }

    /// Whether a container of this id can be a folder: letters, digits, `.`, `-`, `_`, 1 to 255 of them, the first
    /// no dot.
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
