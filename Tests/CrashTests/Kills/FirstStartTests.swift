#if os(Linux)
    import Foundation
    import NephosTesting
    import Testing

    #if canImport(Glibc)
        import Glibc
    #endif

    /// A process that creates or migrates a data folder may die before any of its changes to the disk, and the next one continues
    /// (docs/protocol.md, D3 and D4). The moments are exact (``DiskDeaths``).
    @Suite("Dying at the first start in a data folder", .serialized, .onOwnThreads)
    struct SQLiteFirstStartTests {
        private let deaths: DiskDeaths
        private var data: String { deaths.data }
        /// A record with this number has a file of some hundred bytes.
        private let valueWithFile: Int64 = 1313

        init() throws { deaths = try DiskDeaths("nephos-first") }

        @Test func aFirstStartThatDiesAnywhereIsFinishedByTheNext() throws {
            try deaths.each(in: ["serve", "--new-store", "--port", "0"]) { moment in
                let server = try ServerProcess(data: data)
                try expectUsable(server, "first start, change \(moment)")
            }
        }

        @Test func aContainerThatDiesWhileItIsMadeIsThereOrCanBeMade() throws {
            try deaths.each(in: ["container", "create", "iCloud.test.half", "--new-store"]) { moment in
                let server = try ServerProcess(data: data)
                let isThere = try server.command("container", "list").contains("iCloud.test.half")
                let again = try server.command.run(["container", "create", "iCloud.test.half"])
                #expect(again.status == (isThere ? 1 : 0), "change \(moment), there: \(isThere), \(again.errors)")
                try expectUsable(server, "container create, change \(moment)")
            }
        }

        /// If a process dies between the deletion of a container and that of its files, the remaining files are isolated: no check
        /// reports them, and a new container with the same name has its own.
        @Test func aContainerThatDiesWhileItIsDeletedIsThereOrGone() throws {
            let access = try prepareContainerWithFile("iCloud.test.half")
            try deaths.each(in: ["container", "delete", "iCloud.test.half", "--yes"]) {
                let server = try ServerProcess(data: data)
                let isThere = try server.command("container", "list").contains("iCloud.test.half")
                if isThere { try expectFile(Wire(access.client(port: server.port, person: 0)), "change \($0)") }
                let again = try server.command.run(["container", "delete", "iCloud.test.half", "--yes"])
                #expect(again.status == (isThere ? 0 : 1), "change \($0), there: \(isThere), \(again.errors)")
                try expectClean(server.command, "container delete, change \($0)")
                try server.command("container", "create", "iCloud.test.half")
                try expectUsable(server, "container delete, change \($0)")
            }
        }

        /// Creates a container with a record that has a file, in the folder that every process starts with.
        private func prepareContainerWithFile(_ id: String) throws -> Access {
            let server = try ServerProcess(data: deaths.prepared)
            let access = try Access(on: server, container: id, people: ["eve@example.org"])
            let wire = Wire(access.client(port: server.port, person: 0))
            try wire.modify([Item.save("kept", valueWithFile)], .private, zone: nil)
            try #require(server.stop() == .exited(0))
            return access
        }

        private func expectFile(_ wire: Wire, _ moment: String) throws {
            let found = try wire.lookup(["kept"], .private, zone: nil)
            #expect(found == ["kept": valueWithFile], "\(moment)")
        }

        private func expectUsable(_ server: ServerProcess, _ moment: String) throws {
            let wire = Wire(try Access(on: server).client(port: server.port, person: 0))
            try wire.modify([Item.save("first", valueWithFile)], .private, zone: Wire.sharedZone)
            #expect(try wire.follow(zone: Wire.sharedZone).values == ["first": valueWithFile])
            #expect(try wire.lookup(["first"], .private, zone: Wire.sharedZone) == ["first": valueWithFile])
            try expectClean(server.command, moment)
        }
    }
#endif
