import Foundation
import NephosNetwork
import NephosServer

/// Those ports of a server that only root can use, each with the option that names it.
struct LowPorts {
    let ports: [(port: Int, option: String)]

    init(of configuration: ServerConfiguration) {
        var ports = [(port: configuration.port, option: "--port")]
        if let metrics = configuration.monitorAddress { ports.append((metrics.port, "--metrics")) }
        // 0 chooses a free one.
        self.ports = ports.filter { $0.port > 0 && $0.port < Self.end }
    }

    /// The first port that everybody can use.
    static var end: Int {
        #if os(Linux)
            let setting = try? String(contentsOfFile: "/proc/sys/net/ipv4/ip_unprivileged_port_start", encoding: .utf8)
            return setting.flatMap { Int($0.trimmingCharacters(in: .whitespacesAndNewlines)) } ?? 1_024
        #else
            return 1_024
        #endif
    }
}
