import NephosTesting
import Testing

/// docs/running.md, "A database instead of the folder". Needs no PostgreSQL.
@Suite("--store and NEPHOS_STORE", .onOneEngine) struct StoreOptionTests {
    static let addresses = [
        "nephos.sqlite", "postgres:", "mysql://u:secret@db/nephos", "postgres://u:sec/ret@db/nephos",
        "postgres://u:sec@ret@db/nephos", "postgres://u:sec?ret@db/nephos", "postgres://u:sec ret@db/nephos",
        "postgres://db:secret/nephos", "postgres://u@db/nephos?password=secret&colour=red",
    ]

    @Test("An invalid database address is wrong usage, and is not repeated", arguments: addresses)
    func wrongAddress(_ url: String) throws {
        let folder = try DataFolder(TestStore(.sqlite))
        for result in [
            try folder.run(["container", "list", "--store", url]),
            try folder.run(["serve", "--port", "0"], environment: ["NEPHOS_STORE": url]),
        ] {
            #expect(result.status == 2, "\(result.errors)")
            #expect(result.output.isEmpty)
            #expect(result.errors.contains("postgres://USER") && !result.errors.contains("ret"), "\(result.errors)")
        }
    }

    @Test("A folder that is a store and a database in the environment are two stores, so nothing is done")
    func twoStores() throws {
        let folder = try DataFolder(TestStore(.sqlite))
        #expect(try folder.run(["container", "create", "iCloud.x", "--new-store"]).status == 0)
        let other = ["NEPHOS_STORE": "postgres://u:secret@/nephos?host=\(folder.folder.path)"]
        for arguments in [["container", "list"], ["check"], ["serve", "--port", "0"]] {
            let result = try folder.run(arguments + ["--data", folder.nephos.data], environment: other)
            #expect(result.status == 2, "\(result.errors)")
            let names = "--data names the store in \(folder.nephos.data), and NEPHOS_STORE names another"
            #expect(result.errors.contains(names), "\(result.errors)")
            #expect(!result.errors.contains("secret"))
        }
        // The store of the environment's folder keeps its files for itself.
        let files = try folder.run(["container", "list"], environment: other)
        #expect(files.status == 2 && files.errors.contains("Set NEPHOS_ASSETS"), "\(files.errors)")
    }

    @Test("An address in the wrong place is not repeated either")
    func misspelled() throws {
        let folder = try DataFolder(TestStore(.sqlite))
        for arguments in [["--stroe", "postgres://u:secret@db/n"], ["postgresql://u:secret@db/n"]] {
            let result = try folder.run(["container", "list"] + arguments)
            #expect(result.status == 2)
            #expect(!result.errors.contains("secret"), "\(result.errors)")
        }
    }

    @Test("An unreachable database is reported with advice, without the password")
    func unreachable() throws {
        let folder = try DataFolder(TestStore(.sqlite))
        let url = "postgres://u:secret@/nephos?host=\(folder.folder.path)"
        for result in [
            try folder.run(["container", "list", "--store", url]),
            try folder.run(["serve", "--port", "0"], environment: ["NEPHOS_STORE": url]),
        ] {
            #expect(result.status == 1)
            #expect(result.errors.contains("The database cannot be reached: "))
            #expect(!result.errors.contains("?.") && !result.errors.contains("\t"), "\(result.errors)")
            #expect(result.errors.contains("--store or NEPHOS_STORE") && !result.errors.contains("secret"))
        }
    }

    @Test("The help explains how to keep a password out of the process list")
    func help() throws {
        let help = try DataFolder(TestStore(.sqlite)).run(["help", "serve"]).output
        let words = help.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(words.contains("Set NEPHOS_STORE instead to keep a password out of the list of processes."))
    }
}
