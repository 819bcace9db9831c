import NephosTesting
import Testing

extension ServerTests {
    /// README.md, "The command": the face that scripts depend on.
    @Suite struct CommandTests {
        let cloud: TestCloud
        let command: NephosCommand

        init() throws {
            cloud = try #require(ServerTrait.cloud)
            command = cloud.server.command
        }

        @Test func whatWasAskedForStandsAloneOnStandardOutput() throws {
            let id = try cloud.container().id
            let token = try command.run(["token", "create", id, "--name", "web"])
            #expect(token.status == 0)
            #expect(token.output.wholeMatch(of: #/\S+\n/#) != nil, "\(token.output)")
            let account = try command.run(["account", "create", "\(id)@example.org", "--name", "A B"])
            #expect(account.status == 0 && account.output.wholeMatch(of: #/\S+\n/#) != nil, "\(account)")
            let session = try command.run(["session", "create", id, "\(id)@example.org"])
            #expect(session.status == 0 && session.output.wholeMatch(of: #/\S+\n/#) != nil, "\(session)")
            let folder = try TemporaryFolder()
            let key = try command.run(["key", "create", id, "--generate", folder.path + "/key.pem"])
            #expect(key.status == 0 && key.output.wholeMatch(of: #/[0-9a-f]{64}\n/#) != nil, "\(key)")
            #expect(try String(decoding: readFile(folder.path + "/key.pem"), as: UTF8.self).hasPrefix("-----BEGIN"))
            #expect(try command("container", "list").split(separator: "\n").contains { $0.contains(id) })
            #expect(try command.run(["check", id]).status == 0)
        }

        @Test func aKeyFileIsNotOverwritten() throws {
            let id = try cloud.container().id
            let folder = try TemporaryFolder()
            try writeFile(folder.path + "/key.pem", "mine".utf8)
            let key = try command.run(["key", "create", id, "--generate", folder.path + "/key.pem"])
            #expect(key.status == 1 && key.output.isEmpty)
            #expect(try readFile(folder.path + "/key.pem") == Array("mine".utf8))
        }

        @Test(arguments: [
            ["token", "create", "iCloud.nowhere"], ["session", "create", "iCloud.nowhere", "a@b.example"],
            ["container", "delete", "iCloud.nowhere"], ["check", "iCloud.nowhere"],
            ["container", "create", "with space"],
            ["account", "create", "no address"],
        ])
        func whatFailsEndsWithOne(arguments: [String]) throws {
            let result = try command.run(arguments)
            #expect(result.status == 1, "\(result)")
            #expect(result.output.isEmpty && !result.errors.isEmpty, "\(result)")
        }

        @Test(arguments: [
            [], ["paint"], ["token"], ["token", "create"], ["container", "create", "a", "b"], ["serve", "--port", "x"],
            ["token", "create", "iCloud.a", "--environment", "staging"], ["key", "create", "iCloud.a"],
        ])
        func wrongUsageEndsWithTwo(arguments: [String]) throws {
            let folder = try TemporaryFolder()
            let child = try ChildProcess(
                command.executable, arguments, output: folder.path + "/output", errors: folder.path + "/errors")
            #expect(child.wait() == .exited(2))
            #expect(try readFile(folder.path + "/output").isEmpty)
            #expect(try !readFile(folder.path + "/errors").isEmpty)
        }

        @Test func aDeletedContainerIsGoneAtOnce() throws {
            let container = try cloud.container()
            let ada = try container.person("ada@example.org")
            try expectSuccess(try ada.get("zones/list"))
            try command("container", "delete", container.id)
            try expectRefused(try ada.get("zones/list"), "AUTHENTICATION_FAILED")
            #expect(
                try command("container", "list").split(separator: "\n").contains { $0.contains(container.id) } == false)
        }

        @Test func aSecondServerOnTheFolderIsRefused() throws {
            let result = try command.run(["serve", "--port", "\(try Socket.freePort())"])
            #expect(result.status == 1 && !result.errors.isEmpty)
        }
    }
}
