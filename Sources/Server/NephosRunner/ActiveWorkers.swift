/// The number of running workers, and the continuations that wait for the last one to end. The owner guards it with a lock.
package struct ActiveWorkers: Sendable {
    package private(set) var count = 0
    private var waiting: [CheckedContinuation<Void, Never>] = []

    package init() {}

    package mutating func begin() { count += 1 }

    package mutating func end() {
        count -= 1
        if count == 0 { resumeAll() }
    }

    /// Resumes `continuation` once no worker is running: immediately, or with the last ``end()``.
    package mutating func resumeAtEnd(_ continuation: CheckedContinuation<Void, Never>) {
        waiting.append(continuation)
        if count == 0 { resumeAll() }
    }

    private mutating func resumeAll() {
        for continuation in waiting { continuation.resume() }
        waiting = []
    }
}
