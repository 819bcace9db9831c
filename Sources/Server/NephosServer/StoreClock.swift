import NephosRunner
import NephosStorage
import ServiceLifecycle

/// Keeps the time of requests that of the store: servers of one database, whose machines may disagree, show content from one moment on.
struct StoreClock: Service {
    /// Between two looks at it. A machine's clock strays from another by far less than a millisecond meanwhile, unless somebody sets it.
    private static let interval: Duration = .seconds(5)

    let engine: any StorageEngine
    let threads: any WaitingThreads

    func run() async throws {
        await cancelWhenGracefulShutdown {
            // Where the store cannot be asked, whoever watches it says so, and the last difference holds.
            repeat {
                try? await threads.run { try engine.followClock() }
            } while (try? await Task.sleep(for: Self.interval)) != nil
        }
    }
}
