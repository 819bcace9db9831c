import Foundation
import NephosTesting
import RequestTesting
import Synchronization

// Fuzzes with libFuzzer, when built with its sanitizer (Fuzz/run), the target that FUZZ_TARGET names: whole requests, files of settings
// (`settings`), or the decisions of a generator of valid documents (`documents`). In an ordinary build the program runs each given file
// once.

/// A cloud that is replaced now and then, so that it stays small whatever is saved.
private final class Clouds<Cloud: Sendable>: Sendable {
    private let usesMax: Int
    private let make: @Sendable () async throws -> Cloud
    private let current = Mutex<(cloud: Cloud, uses: Int)?>(nil)

    init(usesMax: Int, _ make: @escaping @Sendable () async throws -> Cloud) {
        (self.usesMax, self.make) = (usesMax, make)
    }

    func tryOut(_ problem: (Cloud) -> String?) {
        let problem = current.withLock { current -> String? in
            if current == nil || (current?.uses ?? 0) >= usesMax { current = (made(), 0) }
            current?.uses += 1
            return current.flatMap { problem($0.cloud) }
        }
        if let problem { fatalError(problem) }
    }

    private func made() -> Cloud {
        let made = blocking { [make] () async -> Result<Cloud, any Error> in
            do { return .success(try await make()) } catch { return .failure(error) }
        }
        switch made {
        case .success(let cloud): return cloud
        case .failure(let error): fatalError("the cloud cannot be created: \(error)")
        }
    }
}

private let clouds = Clouds(usesMax: 20_000) { try await SmallCloud() }
private let documentClouds = Clouds(usesMax: 1_000) { try await DocumentCloud() }
private let tally = Mutex(GeneratedDocuments.Tally())
private let target = ProcessInfo.processInfo.environment["FUZZ_TARGET"] ?? "requests"

private func tryOut(_ bytes: [UInt8]) {
    switch target {
    case "settings": if let problem = WrittenSettings(bytes).problem() { fatalError(problem) }
    case "documents":
        documentClouds.tryOut { cloud in tally.withLock { GeneratedDocuments(bytes).problem(in: cloud, &$0) } }
    default: clouds.tryOut { WrittenRequest(bytes).problem(in: $0) }
    }
}

/// How many generated documents were valid: those that are not reach no evaluation.
private func printTally() {
    let tally = tally.withLock { $0 }
    for (kind, offered) in tally.offered.sorted(by: { "\($0.key)" < "\($1.key)" }) {
        print("Valid documents: \(kind) \(tally.accepted[kind] ?? 0) of \(offered), \(tally.percent(of: kind)) %")
    }
}

#if FUZZING
    @_cdecl("LLVMFuzzerTestOneInput")
    package func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
        tryOut(Array(UnsafeBufferPointer(start: start, count: count)))
        return 0
    }

    /// libFuzzer's driver, called because the program has its own main.
    @_silgen_name("LLVMFuzzerRunDriver")
    private func runDriver(
        _ count: UnsafeMutablePointer<CInt>,
        _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
        _ property: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
    ) -> CInt

    @main
    enum Search {
        static func main() {
            // libFuzzer ends the process.
            atexit { printTally() }
            var count = CommandLine.argc
            var arguments = CommandLine.unsafeArgv
            exit(runDriver(&count, &arguments, fuzzOneInput))
        }
    }
#else
    @main
    enum Replay {
        static func main() throws {
            for path in CommandLine.arguments.dropFirst() {
                tryOut(Array(try Data(contentsOf: URL(fileURLWithPath: path))))
                print("\(path): nothing found")
            }
            printTally()
        }
    }
#endif
