#if !canImport(Glibc)
    import Foundation

    /// Calls a function once when no data was transferred for some seconds, or when it takes too long in all.
    final class Watch: Sendable {
        private static let queue = DispatchQueue(label: "nephos.watch")

        private let seconds: TimeInterval
        private let act: @Sendable () -> Void
        /// When data was last transferred; nil after the watch was stopped.
        private let last: Locked<DispatchTime?>
        private let began = DispatchTime.now()
        private let longest: @Sendable () -> TimeInterval?

        /// - Parameter longest: Returns the most seconds in all, which increase while data is transferred; nil for no limit.
        init(
            _ seconds: TimeInterval, longest: @escaping @Sendable () -> TimeInterval?,
            _ act: @escaping @Sendable () -> Void
        ) {
            self.seconds = seconds
            self.longest = longest
            self.act = act
            last = Locked(.now())
            look(at: min(.now() + seconds, lastMoment))
        }

        /// When it is too late, unless more data is transferred before.
        private var lastMoment: DispatchTime { longest().map { began + $0 } ?? .distantFuture }

        var hasEnded: Bool { lastMoment <= .now() }

        func moved() { last.withLock { if $0 != nil { $0 = .now() } } }
        func stop() { last.value = nil }

        private func look(at time: DispatchTime) {
            Self.queue.asyncAfter(deadline: time) { [weak self] in
                guard let self, let last = self.last.value else { return }
                let end = min(last + self.seconds, self.lastMoment)
                if end > .now() { return self.look(at: end) }
                self.stop()
                self.act()
            }
        }
    }
#endif
