import CloudKitWire
package import NephosStorage

/// A path behind which files come and go: `/asset/1/CONTAINER/ENVIRONMENT/NAME`. To upload, the name is `upload`; to download
/// it is whatever the client likes to call the file.
package struct FilePath: Sendable {
    package static let prefix = "/asset/1/"
    /// The name that stands for an upload.
    package static let upload = "upload"

    let tenant: Tenant
    /// As it was sent, percent signs and all.
    let name: Substring

    package static func text(of tenant: Tenant) -> String {
        "\(PercentCoding.encode(tenant.container))/\(tenant.environment.rawValue)"
    }

    /// nil for a path that is none.
    init?(_ path: Substring) {
        guard path.hasPrefix(Self.prefix) else { return nil }
        let parts = path.dropFirst(Self.prefix.count).split(
            separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, !parts[2].isEmpty, let environment = Environment(rawValue: String(parts[1])),
            let container = PercentCoding.decode(parts[0].utf8).flatMap({ String(validating: $0, as: UTF8.self) })
        else { return nil }
        tenant = Tenant(container: container, environment: environment)
        name = parts[2]
    }

    /// What a log may know of a path: what a person called a file is no business of it.
    package static func withoutName(_ path: Substring) -> Substring {
        guard path.hasPrefix(prefix) else { return path }
        var slashes = 0
        let end = path.utf8.firstIndex { byte in
            if byte == UInt8(ascii: "/") { slashes += 1 }
            return slashes == 5
        }
        return end.map { path[..<$0] } ?? path
    }
}
