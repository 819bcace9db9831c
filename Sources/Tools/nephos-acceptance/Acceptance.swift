import Foundation
import NephosTesting

/// Takes schema files of real apps: imports and deploys them, saves records of every type over HTTP, reads them back in
/// every way, and asks every query that their indexes allow. With the argument `follow` it runs ``Follow`` instead, with
/// `files` ``ManyFiles``, with `copy` ``Copies``.
///
/// Progress is written to standard error, the table to standard output. Exits with 1 if anything was returned differently than it
/// was sent.
@main
enum Acceptance {
    static func main() {
        do {
            let isClean =
                switch CommandLine.arguments.dropFirst().first {
                case nil: try run()
                case "follow": try Follow.run(note: note)
                case "files": try ManyFiles(note: note).run()
                case "copy": try Copies.run(note: note)
                case .some(let other): throw UnknownPart(name: other)
                }
            exit(isClean ? 0 : 1)
        } catch {
            note("\(error)")
            exit(1)
        }
    }

    /// - Returns: Whether there were no findings.
    private static func run() throws -> Bool {
        let start = ContinuousClock.now
        let schemas = SchemaFiles()
        if let text = schemas.note { note(text) }
        let cloud = try TestCloud()
        var findings: [Findings] = []
        for (number, path) in schemas.paths.enumerated() {
            let result = try run(path, number: number, on: cloud)
            findings.append(result)
            note(
                "\(number + 1)/\(schemas.paths.count) \(result.file): \(result.records) records, \(result.queries) queries"
            )
            for text in result.mismatches.prefix(5) { note("    \(text)") }
        }
        print(ResultTable.text(of: findings))
        let check = try cloud.server.command.run(["check"])
        if check.status != 0 { note("nephos check ended with \(check.status): \(check.output)\(check.errors)") }
        let seconds = (ContinuousClock.now - start).components.seconds
        print("nephos check: \(check.status == 0 ? "clean" : "faults"). Time: \(seconds) s.")
        return check.status == 0 && findings.allSatisfy(\.mismatches.isEmpty)
    }

    private static func run(_ path: String, number: Int, on cloud: TestCloud) throws -> Findings {
        let name = String(path.split(separator: "/").last ?? "")
        let shapes = SchemaReader.shapes(in: String(decoding: try readFile(path), as: UTF8.self))
        return FileRun(file: name, path: path, shapes: shapes, container: try cloud.container()).run(
            seed: UInt64(number + 1))
    }

    @Sendable private static func note(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }
}

private struct UnknownPart: Error, CustomStringConvertible {
    var name: String
    var description: String {
        "\(name) is not a part of the acceptance test. Usage: nephos-acceptance [follow | files | copy]"
    }
}
