import NephosRunner
import NephosStorage
import ServiceLifecycle

/// Keeps the server's clock in sync with the store's: servers of one database, whose machines may disagree, show content from the same
/// time on.
struct StoreClock: Service {
    /// The interval between two reads of the clock. A machine's clock drifts by far less than a millisecond meanwhile, unless somebody
    /// sets it.
    private static let interval: Duration = .seconds(5)

    let engine: any StorageEngine
    let threads: any WaitingThreads

    func run() async throws {
        await cancelWhenGracefulShutdown {
            // If the store cannot be read, the outage is reported elsewhere, and the last difference is kept.
            repeat {
                try? await threads.run { try engine.followClock() }
            } while (try? await Task.sleep(for: Self.interval)) != nil
        }
    }
}
