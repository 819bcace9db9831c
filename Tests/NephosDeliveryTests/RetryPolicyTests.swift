import NephosDelivery
import Testing

@Suite("Retries of a failed push")
struct RetryPolicyTests {
    private func seconds(_ attempt: Int, age: Duration = .zero, retryAfter: Duration? = nil, jitter: Double = 0)
        -> Duration?
    {
        RetryPolicy.apns.delay(afterAttempt: attempt, age: age, retryAfter: retryAfter, jitter: jitter)
    }

    @Test("Waits grow from a second to an hour and stay there")
    func steps() {
        let waits = (1...9).map { seconds($0) }
        #expect(waits == [1, 5, 30, 120, 600, 1_800, 3_600, 3_600, 3_600].map { Duration.seconds($0) })
        #expect(seconds(.max) == .seconds(3_600))
        #expect(seconds(0) == .seconds(1) && seconds(.min) == .seconds(1))
    }

    @Test("The receiver's Retry-After lengthens a wait and never shortens it")
    func wish() {
        #expect(seconds(1, retryAfter: .seconds(40)) == .seconds(40))
        #expect(seconds(3, retryAfter: .seconds(4)) == .seconds(30))
        #expect(seconds(1, retryAfter: .seconds(-4)) == .seconds(1))
    }

    @Test("Jitter adds up to a fifth, and stays within bounds")
    func jitter() throws {
        #expect(seconds(2, jitter: 0.5) == .milliseconds(5_500))
        #expect(try #require(seconds(2, jitter: 0.999)) < .seconds(6))
        #expect(seconds(2, jitter: -7) == .seconds(5) && seconds(2, jitter: 7) == .seconds(6))
        #expect(seconds(2, jitter: .nan) == .seconds(5))
        #expect(seconds(2, retryAfter: .seconds(Int64.max), jitter: 1) == nil)
        #expect(seconds(2, age: .seconds(Int64.max), jitter: 1) == nil)
    }

    @Test("A push that would be too old by then is dropped")
    func age() {
        let day = Duration.seconds(24 * 3_600)
        #expect(seconds(1, age: day - .seconds(1)) == .seconds(1))
        #expect(seconds(1, age: day) == nil)
        #expect(seconds(9, age: day - .seconds(3_599)) == nil)
        #expect(RetryPolicy.webhooks.delay(afterAttempt: 9, age: day * 2, jitter: 0) == .seconds(3_600))
        #expect(RetryPolicy.webhooks.delay(afterAttempt: 9, age: day * 3, jitter: 0) == nil)
    }

    @Test("A push that always fails is retried for its whole lifetime, a finite number of times", arguments: [0, 0.99])
    func whole(jitter: Double) {
        var age = Duration.zero
        var attempts = 1
        while let wait = seconds(attempts, age: age, jitter: jitter) {
            age += wait
            attempts += 1
        }
        #expect(age > .seconds(22 * 3_600) && age <= .seconds(24 * 3_600))
        #expect((24...32).contains(attempts))
    }
}
