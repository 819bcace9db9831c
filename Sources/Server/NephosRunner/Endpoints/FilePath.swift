import CloudKitWire
package import NephosStorage

/// The path of a file: `/asset/1/CONTAINER/ENVIRONMENT/NAME`. For an upload, the name is `upload`; for a download it is any name
/// that the client chooses.
package struct FilePath: Sendable {
    package static let prefix = "/asset/1/"
    /// The name used for an upload.
    package static let upload = "upload"

    let tenant: Tenant
    /// As sent, still percent-encoded.
    let name: Substring

    package static func text(of tenant: Tenant) -> String {
        "\(PercentCoding.encode(tenant.container))/\(tenant.environment.rawValue)"
    }

    /// nil for any other path.
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

    /// The part of a path that a log may contain: file names are private.
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
