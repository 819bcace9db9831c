/// How many are at work, and who waits for the last of them to end. Kept under a lock by whoever counts.
package struct AtWork: Sendable {
    package private(set) var count = 0
    private var waiting: [CheckedContinuation<Void, Never>] = []

    package init() {}

    package mutating func begin() { count += 1 }

    package mutating func end() {
        count -= 1
        if count == 0 { resumeAll() }
    }

    /// Resumes `continuation` once nobody is at work: now, or with the last ``end()``.
    package mutating func resumeAtEnd(_ continuation: CheckedContinuation<Void, Never>) {
        waiting.append(continuation)
        if count == 0 { resumeAll() }
    }

    private mutating func resumeAll() {
        for continuation in waiting { continuation.resume() }
        waiting = []
    }
}
