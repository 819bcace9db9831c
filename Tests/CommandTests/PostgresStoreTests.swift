import Foundation
import NephosTesting
import Testing

/// docs/running.md, "A database instead of the folder", on PostgreSQL itself.
@Suite("The command on a PostgreSQL database", .onOwnThreads) struct PostgresStoreTests {
    private let store: TestStore
    private let folder: DataFolder
    private let url: String

    init() throws {
        store = try TestStore(.postgres)
        folder = try DataFolder(store)
        url = try #require(store.url)
    }

    @Test("The option overrides the variable, and the variable overrides the folder")
    func precedence() throws {
        let other = try DataFolder(TestStore(.postgres))
        try folder.nephos("container", "create", "iCloud.here")
        try other.nephos("container", "create", "iCloud.there")
        #expect(try folder.run(["container", "list"]).output == "iCloud.here\n")
        #expect(try other.run(["container", "list", "--store", url]).output == "iCloud.here\n")
        #expect(!FileManager.default.fileExists(atPath: folder.nephos.data), "nothing is in the folder")
    }

    @Test("A suggested command means the same database and shows no address")
    func proposals() throws {
        let byVariable = try folder.run(["token", "create", "iCloud.x"])
        #expect(byVariable.errors.hasSuffix("nephos container create iCloud.x\n"))
        let byOption = try folder.run(
            ["token", "create", "iCloud.x", "--store", url], environment: ["NEPHOS_STORE": ""])
        #expect(byOption.errors.hasSuffix(#"nephos container create iCloud.x --store "$NEPHOS_STORE""# + "\n"))
        let empty = try folder.run(["container", "list"])
        #expect(empty.status == 0 && empty.output.isEmpty)
        #expect(empty.errors.hasPrefix("No containers in PostgreSQL database nephos_"))
    }

    @Test("Several servers serve one database, each names it, and what one stores the others have")
    func servers() throws {
        let environment = ["NEPHOS_STORE": url]
        let servers = try (0..<2).map { _ in try ServerProcess(environment: environment, store: store) }
        for server in servers {
            // It may respond a moment before it has logged its address.
            _ = Deadline().waits { server.logText.contains("http://") }
            let line = server.logText.split(separator: "\n").first { $0.hasPrefix("Nephos serves") } ?? ""
            #expect(line.hasPrefix("Nephos serves PostgreSQL database nephos_"))
            #expect(line.hasSuffix(" on http://127.0.0.1:\(server.port)"))
            #expect(!server.logText.contains("postgres://"))
        }
        try folder.nephos("container", "create", "iCloud.x")
        try folder.nephos("account", "create", "ada@example.org")
        let credentials = Credentials.person(
            apiToken: try folder.nephos("token", "create", "iCloud.x"),
            webAuthToken: try folder.nephos("session", "create", "iCloud.x", "ada@example.org"))
        let clients = servers.map { CloudKitClient(port: $0.port, container: "iCloud.x", credentials: credentials) }
        let zone: JSON = ["zoneID": ["zoneName": "Notes"]]
        _ = try clients[0].post("zones/modify", .private, ["operations": [["operationType": "create", "zone": zone]]])
        let zones = try clients[1].post("zones/list", .private).json["zones"].elements
        #expect(zones.contains { $0["zoneID"]["zoneName"].string == "Notes" })
        for server in servers { #expect(try server.stop() == .exited(0)) }
        #expect(try folder.run(["check"]).status == 0)
    }

    @Test("check finds a row that was changed without the server")
    func check() throws {
        try folder.nephos("container", "create", DataFolder.container)
        try folder.nephos("token", "create", DataFolder.container, "--name", "as it was written")
        try store.database?.sql("UPDATE nephos.api_tokens SET name = 'as it was WRITTEN'")
        let result = try folder.run(["check"])
        #expect(result.status == 1)
        #expect(result.output.contains("iCloud.com.example.app/development  api_tokens "))
        #expect(result.errors.contains("keep a copy of PostgreSQL database nephos_"))
    }

    @Test("A newer store, and a user without permissions, are reported")
    func refusals() throws {
        try folder.nephos("container", "create", "iCloud.x")
        let database = try #require(store.database)
        let role = "limited_\(ProcessInfo.processInfo.processIdentifier)"
        try database.sql("CREATE ROLE \(role) LOGIN")
        defer { _ = try? database.sql("DROP ROLE \(role)") }
        let limited = try folder.run(
            ["check"], environment: ["NEPHOS_STORE": url.replacing("nephos@", with: "\(role)@")])
        #expect(limited.status == 1)
        #expect(limited.errors.contains("grant it USAGE ON SCHEMA nephos"), "\(limited.errors)")
        try database.sql("INSERT INTO nephos.migrations (identifier) VALUES ('9 future')")
        let newer = try folder.run(["serve", "--port", "0"])
        #expect(newer.status == 1)
        #expect(newer.errors.contains("newer") && newer.errors.contains("9 future"), "\(newer.errors)")
    }

    @Test("The demo's file of secrets is in the folder for local files")
    func demo() throws {
        let server = try ServerProcess(["--demo"], store: store)
        #expect(FileManager.default.fileExists(atPath: "\(store.data)/demo.json"))
        #expect(try server.stop() == .exited(0))
    }

    #if os(Linux)
        @Test("A server whose clock is more than 5 s off refuses to start; commands work", arguments: [-9, 9])
        func clock(_ seconds: Int) throws {
            let clock = try LateClock()
            // The clock that differs is that of a process.
            var nephos = try NephosCommand(store)
            nephos.environment.merge(clock.environment(seconds: seconds)) { $1 }
            let wrong = try nephos.run(["serve", "--port", "0"])
            #expect(wrong.status == 1)
            #expect(
                wrong.errors.contains(seconds < 0 ? "s behind the database's" : "s ahead of the database's"),
                "\(wrong.errors)")
            #expect(try nephos.run(["container", "list"]).status == 0)
            let server = try ServerProcess(environment: clock.environment(seconds: seconds / 3), store: store)
            #expect(try server.stop() == .exited(0))
        }
    #endif
}

#if os(Linux)
    /// `late-clock.c`, compiled for preloading into processes: their clock differs by this many seconds.
    private struct LateClock {
        private let library: PreloadedLibrary

        init() throws { library = try PreloadedLibrary("late-clock") }

        func environment(seconds: Int) -> [String: String] {
            library.environment.merging(["LATE_CLOCK_SECONDS": "\(seconds)"]) { $1 }
        }
    }
#endif
