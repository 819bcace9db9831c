import NephosTesting

/// Benchmarks of Nephos. Each subcommand is one benchmark; docs/performance.md has the results.
@main
enum Main {
    static func main() async {
        IssuedSecrets.turnOff()
        switch CommandLine.arguments.dropFirst().first {
        case "json": JSONBenchmark.run()
        case "client": await ClientBenchmark.run()
        case "archives": ArchiveBenchmark.run(Array(CommandLine.arguments.dropFirst(2)))
        case "server": ServerBenchmark.run(Array(CommandLine.arguments.dropFirst(2)))
        case "features": FeatureBenchmark.run(Array(CommandLine.arguments.dropFirst(2)))
        case "shares": SharingBenchmark.run(Array(CommandLine.arguments.dropFirst(2)))
        case "instructions": InstructionBenchmark.run(Array(CommandLine.arguments.dropFirst(2)))
        case "against": BuildComparison.run(Array(CommandLine.arguments.dropFirst(2)))
        default:
            print(
                """
                usage: nephos-bench json | client | archives | features PROGRAM | shares PROGRAM | instructions NAME=PROGRAM... | against BEFORE NOW | server [PART...]
                parts: \(ServerBenchmark.partNames)
                """)
        }
    }
}
