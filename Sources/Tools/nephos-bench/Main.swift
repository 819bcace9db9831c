/// Measures Nephos. Each subcommand is one benchmark; what they print goes to docs/performance.md.
@main
enum Main {
    static func main() {
        switch CommandLine.arguments.dropFirst().first {
        case "json": JSONBenchmark.run()
        case "server": ServerBenchmark.run(Array(CommandLine.arguments.dropFirst(2)))
        default:
            print("usage: nephos-bench json | server [PART...]; parts: \(ServerBenchmark.partNames)")
        }
    }
}
