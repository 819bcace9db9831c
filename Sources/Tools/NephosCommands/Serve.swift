import ArgumentParser
import Foundation
import Metrics
import NIOCore
import NIOPosix
import NephosAdmin
import NephosBackend
import NephosNetwork
import NephosRunner
import NephosServer
import NephosStorage

struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Serve the containers of a data folder, or of a PostgreSQL database, over HTTP.",
        discussion: """
            Runs until it is interrupted, then finishes the requests in flight. For TLS, put a proxy in front of it, and \
            pass the address that clients use as --public-url.

            Example:

              nephos serve --data /srv/nephos --public-url https://cloud.example.org \\
                --trusted-proxy 127.0.0.1

            Each option that takes a value can be set by an environment variable of its name instead: --public-url by \
            NEPHOS_PUBLIC_URL. In NEPHOS_TRUSTED_PROXY and NEPHOS_ALLOW_WEBHOOK, commas separate several.

            A folder has one server at a time. With NEPHOS_STORE=postgres://USER:PASSWORD@HOST/DATABASE everything is stored \
            in that database, which any number of servers can serve together.
            """)

    @OptionGroup var data: DataOptions
    @OptionGroup var newStore: NewStoreOption
    @Option(help: "The address to listen on; 0.0.0.0 for all addresses of this machine.")
    var host: String = CommandContext.variable("NEPHOS_HOST") ?? "127.0.0.1"
    @Option(help: "The port to listen on; 0 chooses a free one.")
    var port: Int = CommandContext.variable("NEPHOS_PORT").map { Int($0) ?? -1 } ?? 8080
    @Option(
        name: .customLong("public-url"),
        help: ArgumentHelp("The URL at which clients reach the server, if it differs.", valueName: "url"))
    var publicURL: String?
    @Option(
        name: .customLong("relying-party"),
        help: ArgumentHelp(
            """
            The host that passkeys are for: that of --public-url (the default), or a parent domain of it. Do not change it \
            while anybody has a passkey.
            """, valueName: "host"))
    var relyingParty: String?
    @Option(
        name: .customLong("trusted-proxy"),
        help: ArgumentHelp(
            """
            A proxy in front of the server, as an address or a block of addresses, whose headers about the client, scheme and \
            host of a request (X-Forwarded-For, -Proto, -Host) are trusted. Can be repeated; none says that there is no proxy.
            """, valueName: "cidr"))
    var trustedProxies: [String] = []
    @Option(
        help: ArgumentHelp(
            "Serve /metrics and /healthz only here, for example at 127.0.0.1:9100.",
            valueName: "host:port"))
    var metrics: String?
    @Option(
        name: .customLong("allow-webhook"),
        help: ArgumentHelp(
            "A host that webhooks can call even if it is this machine or in a private network. Can be repeated.",
            valueName: "host"))
    var allowedWebhooks: [String] = []
    @Option(
        name: .customLong("mail-command"),
        help: ArgumentHelp(
            """
            A program that sends mails like sendmail, overriding nephos mail configure: it is run with -i and -t, and gets the \
            mail, which names its recipient, on standard input.
            """, valueName: "path"))
    var mailCommand: String?
    @Flag(
        help:
            "Create a container and a person to try things with, and a store if there is none, and print how to use them."
    )
    var demo = false
    @Flag(help: .hidden)
    var bench = false
    /// Sends no notifications and computes no aggregates, so that `make bench` can measure the cost of saves alone.
    @Flag(help: .hidden)
    var quiet = false

    /// Sets options that the arguments lack from the environment. `--host` and `--port` have it as their default.
    private mutating func useEnvironment() {
        publicURL = publicURL ?? CommandContext.variable("NEPHOS_PUBLIC_URL")
        relyingParty = relyingParty ?? CommandContext.variable("NEPHOS_RELYING_PARTY")
        metrics = metrics ?? CommandContext.variable("NEPHOS_METRICS")
        mailCommand = mailCommand ?? CommandContext.variable("NEPHOS_MAIL_COMMAND")
        if trustedProxies.isEmpty { trustedProxies = CommandContext.variables("NEPHOS_TRUSTED_PROXY") }
        if allowedWebhooks.isEmpty { allowedWebhooks = CommandContext.variables("NEPHOS_ALLOW_WEBHOOK") }
    }

    mutating func validate() throws {
        useEnvironment()
        guard (0...65_535).contains(port) else {
            throw ValidationError("--port (NEPHOS_PORT) must be a number from 0 to 65535.")
        }
        for proxy in namedProxies where AddressBlock(proxy) == nil {
            throw ValidationError(
                "--trusted-proxy (NEPHOS_TRUSTED_PROXY) takes an address or a block, 10.0.0.7 or 10.0.0.0/8, not '\(proxy)'."
            )
        }
        if let metrics, HostAndPort(metrics) == nil {
            throw ValidationError(
                "--metrics (NEPHOS_METRICS) takes a host and a port, 127.0.0.1:9100, not '\(metrics)'.")
        }
        if let host = allowedWebhooks.first(where: { $0.contains("/") || $0.isEmpty }) {
            throw ValidationError(
                "--allow-webhook (NEPHOS_ALLOW_WEBHOOK) takes a host as in the URL, without scheme and path, not '\(host)'."
            )
        }
        if let mailCommand, !MailWay.isProgram(mailCommand) {
            throw ValidationError(
                "--mail-command (NEPHOS_MAIL_COMMAND): there is no program at '\(mailCommand)'. Pass the full path of a program that can be run."
            )
        }
        guard publicURL != nil else { return }
        guard let clientURL else {
            throw ValidationError(
                "--public-url (NEPHOS_PUBLIC_URL) must be https:// or http:// and a host, optionally with a port and a path, such as "
                    + "https://example.org/nephos. A path has letters, digits, '-', '_', '.' and '~', and is none of the server's own, "
                    + "such as /docs."
            )
        }
        if clientURL.isSecure, trustedProxies.isEmpty, HostAndPort(host: host, port: port).isLoopback {
            throw ValidationError(
                "--public-url (NEPHOS_PUBLIC_URL) begins with https, so a proxy on this machine passes on the requests: name the proxy: --trusted-proxy 127.0.0.1, or say --trusted-proxy none."
            )
        }
    }

    mutating func run() async throws {
        let command = self
        let configuration = try configuration()
        let settings = featureSettings(isLocal: configuration.isLocal)
        let features = try features(settings)
        for warning in warnings + [features.outgoing.http.warning].compactMap(\.self) {
            Terminal.note("Warning: \(warning)")
        }
        if let user = data.user { try check(LowPorts(of: configuration), for: user) }
        let metrics = PrometheusMetrics()
        var storeSettings = StoreSettings()
        storeSettings.connections = configuration.storeConnections
        storeSettings.committed = StorageMeter(factory: metrics).committed
        storeSettings.secretKeys = KeyPlace.currentKeys
        try await data.open(creating: newStore.makesStore || demo, settings: storeSettings) { store in
            for feature in Nephos.features { try feature.beforeServing(settings, store.engine) }
            MetricsSystem.bootstrap(metrics)
            metrics.sample("nephos_open_tenants") { Double(store.openTenants) }
            let lock = try store.prepareServing()
            if try store.engine.secrets?.secretNames().current == 0 { Terminal.note("Warning: \(Self.inTheClear)") }
            let demo = command.demo ? try await command.prepareDemo(store.engine) : nil
            try await command.serve(store.engine, configuration, features, metrics, demo)
            withExtendedLifetime(lock) {}
        }
    }

    private func prepareDemo(_ engine: any StorageEngine) async throws -> Demo {
        try data.enter()
        let file = DemoFile(folder: data.resolvedFolder)
        let demo = try await Administration(engine: engine, inputs: .live, features: Nephos.features)
            .demo(reusing: file.read())
        try file.write(demo)
        return demo
    }

    /// Fails before anything is created, if a server of root could not listen once it has become the owner of its folder.
    private func check(_ low: LowPorts, for user: FolderUser) throws(Failure) {
        guard let (port, option) = low.ports.first else { return }
        throw Failure(
            """
            This server does not stay root but becomes \(user.shown), who cannot use port \(port) of \(option). Use a port from \
            \(LowPorts.end) on behind a proxy, or permit it to that user (docs/running.md, "The user").
            """, kind: .wrongUsage)
    }

    private func configuration() throws(Failure) -> ServerConfiguration {
        var configuration = ServerConfiguration()
        configuration.host = host
        configuration.port = port
        configuration.backend.publicURL = clientURL
        configuration.backend.demo = demo ? Demo.tenant : nil
        configuration.trustedProxies = namedProxies.compactMap { AddressBlock($0) }
        configuration.monitorAddress = metrics.flatMap { HostAndPort($0) }
        configuration.bench = bench
        do {
            try configuration.apply(environment: CommandContext.current.environment)
        } catch {
            throw Failure(error.description, kind: .wrongUsage)
        }
        return configuration
    }

    /// The settings of features, from the environment and options.
    private func featureSettings(isLocal: Bool) -> FeatureSettings {
        var settings = FeatureSettings(environment: CommandContext.current.environment, isLocal: isLocal)
        settings.calledHosts = allowedWebhooks
        settings.mailProgram = mailCommand
        settings.mailFolder = data.mailFolder
        settings.keepsMails = demo
        (settings.publicURL, settings.relyingParty) = (clientURL, relyingParty)
        settings.isQuiet = quiet
        return settings
    }

    private func features(
        _ settings: FeatureSettings
    ) throws -> (served: [Feature.Serving], outgoing: Nephos.Outgoing) {
        do {
            return (try Nephos.features.prepared(for: settings), try Nephos.outgoing.make(settings))
        } catch let problem as EnvironmentProblem {
            throw Failure(problem.description, kind: .wrongUsage)
        }
    }

    private func serve(
        _ engine: any StorageEngine, _ configuration: ServerConfiguration,
        _ features: (served: [Feature.Serving], outgoing: Nephos.Outgoing),
        _ metrics: PrometheusMetrics, _ demo: Demo?
    ) async throws {
        let files = try data.files()
        // By now this process is who it stays.
        try KeyPlace.current()?.checkReadable()
        let server = NephosServer(
            configuration: configuration, engine: engine, files: files, http: features.outgoing.http,
            mail: features.outgoing.mail,
            features: features.served,
            metrics: metrics)
        do {
            try await server.run { [self] port in announce(demo, port) }
        } catch {
            if let unknown = error as? SocketAddressError.UnknownHost {
                let option = unknown.host == host ? "--host" : "--metrics"
                throw Failure(
                    "Cannot serve on \(unknown.host), port \(unknown.port): there is no host of that name. "
                        + "Choose another with \(option).")
            }
            let code = (error as? IOError)?.errnoCode
            if code == EADDRINUSE {
                let metrics = configuration.monitorAddress.map { ", or \($0.port) of --metrics" } ?? ""
                throw Failure(
                    "Port \(port)\(metrics) is in use; choose another with --port\(metrics.isEmpty ? "" : " or --metrics")."
                )
            }
            let isForbidden = code == EACCES && !LowPorts(of: configuration).ports.isEmpty
            let hint =
                isForbidden
                ? "Ports below \(LowPorts.end) are for root. Use a higher one behind a proxy, or permit it to the user of the server "
                    + "(docs/running.md, \"The user\")."
                : "Choose another address with --host, --port\(configuration.monitorAddress == nil ? "" : ", --metrics")."
            let cause =
                switch code {
                case EADDRNOTAVAIL: "this machine has no such address"
                case let code?: String(cString: strerror(code))
                case nil: "\(error)"
                }
            let beside = configuration.monitorAddress.map { " and, for --metrics, \($0.host), port \($0.port)" } ?? ""
            throw Failure("Cannot serve on \(host), port \(port)\(beside): \(cause). \(hint)")
        }
    }

    /// Reports the server's address, once it listens.
    private func announce(_ demo: Demo?, _ port: Int) {
        let reachable = ["0.0.0.0", "::"].contains(host) ? "127.0.0.1" : host
        let url = clientURL?.text ?? "http://\(reachable.contains(":") ? "[\(reachable)]" : reachable):\(port)"
        Terminal.note("Nephos serves \(data.shown) \(data.isDatabase ? "on" : "at") \(url)")
        if let demo { Terminal.answer(demo.text(url: url)) }
    }

    /// Settings that make a server less secure than it could be, and what to do.
    private var warnings: [String] {
        var warnings: [String] = []
        let isLoopback = HostAndPort(host: host, port: port).isLoopback
        if publicURL == nil, !namedProxies.isEmpty {
            warnings.append(
                """
                without --public-url no mails with links are sent, such as those for sign-up and recovery, and there are no passkeys: \
                what others get does not depend on the headers that a proxy passes on. Pass the URL that clients use.
                """)
        } else if publicURL == nil, !isLoopback {
            warnings.append(
                """
                others can reach \(host), and links in answers contain the address of the connection, without TLS; no mails with \
                links are sent. Pass the URL that clients use as --public-url, and a proxy in front as --trusted-proxy.
                """)
        }
        if clientURL?.isSecure == true, trustedProxies.isEmpty {
            warnings.append(
                """
                clients reach the public URL through a proxy that is not named by --trusted-proxy, so all of them together have the \
                limits of one client, and the log has no addresses but that of the proxy.
                """)
        }
        warnings += CommandContext.current.unknownVariables
        if let warning = (try? data.database())?.warning(environment: CommandContext.current.environment) {
            warnings.append(warning)
        }
        return warnings
    }

    private static let inTheClear = """
        the secrets of this database are in the clear, as earlier versions stored them: a person with a copy can sign in as \
        anybody. Once all servers have this version, give them a key and run nephos secret rotate (docs/running.md).
        """

    /// ``publicURL``, if it is valid.
    private var clientURL: PublicURL? { publicURL.flatMap { PublicURL($0) } }

    /// ``trustedProxies``, unless it says that there are none.
    private var namedProxies: [String] { trustedProxies == ["none"] ? [] : trustedProxies }
}
