import NephosStorage
import StorageConformance

// The arguments: a libpq connection string, and "all" to run every case of the suite instead of the spike's six.
// Ends with an error if one of the six is broken.

guard CommandLine.arguments.count >= 2 else {
    throw StorageError.failed("usage: PostgresContract CONNINFO [all]")
}
let conninfo = CommandLine.arguments[1]
let wantsAll = CommandLine.arguments.dropFirst(2).first == "all"
let broken = await runCases(wantsAll ? StorageCase.all : StorageCase.spike, conninfo)
if !wantsAll {
    print()
    try await measure(conninfo)
    if broken > 0 { throw StorageError.failed("\(broken) promises are broken") }
}
