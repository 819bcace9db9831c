import Foundation

/// Calls what an article declares, and prints what comes of it. Blocks may print on after it returns.
typealias Runner = ([String]) throws -> Void

// Articles GROUP [ARGUMENT …]: runs until standard input ends, which is when the script has seen enough.
setvbuf(stdout, nil, _IOLBF, 0)
let arguments = CommandLine.arguments.dropFirst()
guard let group = arguments.first, let runner = runners[group] else {
    print("There are \(runners.keys.sorted())")
    exit(2)
}
try runner(Array(arguments.dropFirst()))
while readLine() != nil {}
