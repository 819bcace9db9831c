import CloudKit
import Foundation
import NephosTesting

/// Prints the instructions for archiving and reading N and 2N objects, with Foundation's own archiver, counted by valgrind. Fails if
/// twice as many objects take more than 2.2 times as many instructions. (`ArchiveWorkTests` counts comparisons, for every class.)
/// docs/performance.md has the results.
enum ArchiveBenchmark {
    private static let counts = [400, 800]
    private static let most = 2.2

    private static let kinds: [(name: String, make: @Sendable (Int) -> NSObject)] = [
        (
            "records of four fields",
            {
                let record = CKRecord(recordType: "Note")
                record["text"] = "some text \($0)"
                record["count"] = $0
                record["date"] = Date(timeIntervalSince1970: Double($0))
                record["isDone"] = true
                return record
            }
        ),
        ("record IDs", { CKRecord.ID(recordName: "note-\($0)") }),
        (
            "query subscriptions",
            {
                let subscription = CKQuerySubscription(
                    recordType: "Note", predicate: NSPredicate(format: "count > %d", $0), subscriptionID: "s\($0)")
                subscription.notificationInfo = CKSubscription.NotificationInfo(
                    alertBody: "New", alertLocalizationArgs: ["text"], desiredKeys: ["text", "count"])
                return subscription
            }
        ),
        ("shares", { CKShare(rootRecord: CKRecord(recordType: "Note", recordID: .init(recordName: "note-\($0)"))) }),
    ]

    /// - Parameter arguments: Empty, or the number of a kind and of objects, to archive them once.
    static func run(_ arguments: [String]) {
        do {
            let numbers = arguments.compactMap { Int($0) }
            if numbers.count == 2, kinds.indices.contains(numbers[0]) {
                return try archive((0..<numbers[1]).map(kinds[numbers[0]].make))
            }
            let folder = try TemporaryFolder(prefix: "nephos-archives")
            // Valgrind would read all debug information.
            let program = "\(folder.path)/program"
            try run("strip", ["--strip-debug", "-o", program, CommandLine.arguments[0]], said: "\(folder.path)/strip")
            var table = Table(["archived and read", "instructions for 400", "for 800", "times"])
            var fails = false
            for kind in kinds.indices {
                // What the process does besides.
                let base = try instructions(kind, 0, program)
                let found = try counts.map { try instructions(kind, $0, program) - base }
                let times = found[1] / found[0]
                fails = fails || times > most
                table.add([kinds[kind].name] + found.map(ServerBenchmark.whole) + [String(format: "%.2f", times)])
            }
            print("Archives: instructions\n\n\(table.text)")
            if fails { exit(1) }
        } catch {
            print("\(error)")
            exit(1)
        }
    }

    private static func archive(_ objects: [NSObject]) throws {
        let data = try NSKeyedArchiver.archivedData(
            withRootObject: NSArray(array: objects), requiringSecureCoding: true)
        let classes = [NSArray.self] + objects.prefix(1).map { type(of: $0) as AnyClass }
        let read = try NSKeyedUnarchiver.unarchivedObject(ofClasses: classes, from: data) as? NSArray
        guard read?.count == objects.count else { throw Wrk.Failure(description: "an archive has lost objects") }
    }

    /// The instructions of a process of this program that archives so many objects.
    private static func instructions(_ kind: Int, _ count: Int, _ program: String) throws -> Double {
        let said = "\(program)-\(kind)-\(count)"
        try run(
            "valgrind",
            ["--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null", program, "archives"]
                + ["\(kind)", "\(count)"], said: said)
        let text = String(decoding: try readFile(said), as: UTF8.self)
        guard let line = text.split(separator: "\n").first(where: { $0.contains("refs:") }),
            let total = line.split(separator: " ").last.flatMap({ Double($0.filter(\.isNumber)) })
        else { throw Wrk.Failure(description: "valgrind did not count \(kinds[kind].name)") }
        return total
    }

    private static func run(_ program: String, _ arguments: [String], said: String) throws {
        let child = try ChildProcess(
            "/usr/bin/env", [program] + arguments, environment: ["SWIFT_DETERMINISTIC_HASHING": "1"], as: .caller,
            output: said, errors: said)
        guard child.wait() == .exited(0) else {
            throw Wrk.Failure(description: "\(program): \(String(decoding: try readFile(said), as: UTF8.self))")
        }
    }
}
