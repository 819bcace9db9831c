import Foundation
import RequestTesting
import Synchronization

// Fuzzes whole requests with libFuzzer, or files of settings if FUZZ_TARGET is `settings`, when built with its sanitizer
// (Fuzz/run). In an ordinary build the program runs each given file once.

/// A cloud that is replaced now and then, so that it stays small whatever is saved.
private final class Clouds: Sendable {
    private static let requestsMax = 20_000
    private let current = Mutex<(cloud: SmallCloud, asked: Int)?>(nil)

    func tryOut(_ bytes: [UInt8]) {
        let problem = current.withLock { current -> String? in
            if current == nil || (current?.asked ?? 0) >= Self.requestsMax { current = (Self.made(), 0) }
            current?.asked += 1
            return current.flatMap { WrittenRequest(bytes).problem(in: $0.cloud) }
        }
        if let problem { fatalError(problem) }
    }

    private static func made() -> SmallCloud {
        let result = Mutex<Result<SmallCloud, any Error>?>(nil)
        let isThere = DispatchSemaphore(value: 0)
        Task {
            do {
                let cloud = try await SmallCloud()
                result.withLock { $0 = .success(cloud) }
            } catch {
                result.withLock { $0 = .failure(error) }
            }
            isThere.signal()
        }
        isThere.wait()
        switch result.withLock({ $0 }) {
        case .success(let cloud): return cloud
        case .failure(let error): fatalError("the cloud cannot be created: \(error)")
        case nil: fatalError("the cloud was not created")
        }
    }
}

private let clouds = Clouds()
private let isAboutSettings = ProcessInfo.processInfo.environment["FUZZ_TARGET"] == "settings"

private func tryOut(_ bytes: [UInt8]) {
    guard isAboutSettings else { return clouds.tryOut(bytes) }
    if let problem = WrittenSettings(bytes).problem() { fatalError(problem) }
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
        }
    }
#endif
