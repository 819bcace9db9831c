import NephosTesting

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Our own nginx in one process: the cost of a server that only transfers files.
///
/// It accepts files by PUT and does not wait for the disk. It has default settings, except that it logs to its own file, accepts
/// files of any size, and keeps connections open as long as they are used.
final class Nginx {
    /// With `sendfile`, and with reading and writing like our server.
    let ports: (sendfile: Int, reading: Int)
    /// The folder of served files, and of uploads.
    let files: String
    private let folder: TemporaryFolder
    private let child: ChildProcess

    var process: Int32 { child.id }

    /// - Returns: nil if nginx is not installed.
    static func ifInstalled() throws -> Nginx? {
        let search = getenv("PATH").map { String(cString: $0) } ?? ""
        let places = (search.split(separator: ":") + ["/usr/sbin"]).map { "\($0)/nginx" }
        return try places.first { access($0, X_OK) == 0 }.map { try Nginx($0) }
    }

    private init(_ executable: String) throws {
        folder = try TemporaryFolder(prefix: "nephos-nginx")
        files = folder.path + "/files"
        ports = (try Socket.freePort(), try Socket.freePort())
        guard mkdir(files, 0o700) == 0 else { throw SystemError("mkdir \(files)") }
        try writeFile(folder.path + "/configuration", Array(Self.configuration(folder.path, ports).utf8))
        child = try ChildProcess(
            executable, ["-p", folder.path, "-e", "errors", "-c", folder.path + "/configuration"],
            output: folder.path + "/output", errors: folder.path + "/output")
        let isReady = Deadline(seconds: 10).waits {
            child.hasEnded != nil || (try? HTTPConnection(port: ports.sendfile, timeout: 5)) != nil
        }
        guard isReady, child.hasEnded == nil else {
            let said = (try? readFile(folder.path + "/output")) ?? []
            throw Wrk.Failure(description: "nginx did not start: \(String(decoding: said, as: UTF8.self))")
        }
    }

    deinit {
        child.signal(SIGTERM)
        if child.wait(atMost: 10) == nil { child.signal(SIGKILL) }
        child.wait()
    }

    private static func configuration(_ folder: String, _ ports: (sendfile: Int, reading: Int)) -> String {
        let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map { "\($0)_temp_path \(folder)/\($0);" }
        func server(_ port: Int, sendfile: String) -> String {
            "server { listen 127.0.0.1:\(port); root \(folder)/files; sendfile \(sendfile); dav_methods PUT; }"
        }
        return """
            daemon off;
            master_process off;
            pid \(folder)/pid;
            events { worker_connections 256; }
            http {
                access_log \(folder)/access;
                client_max_body_size 0;
                keepalive_requests 1000000000;
                \(temporary.joined(separator: "\n    "))
                \(server(ports.sendfile, sendfile: "on"))
                \(server(ports.reading, sendfile: "off"))
            }

            """
    }
}
