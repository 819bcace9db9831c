#if !canImport(Glibc)
    import Foundation

    /// Calls a function once when no data was transferred for some seconds, or when it takes too long in all.
    final class Watch: Sendable {
        private static let queue = DispatchQueue(label: "nephos.watch")

        private let seconds: TimeInterval
        private let act: @Sendable () -> Void
        /// When data was last transferred; nil after the watch was stopped.
        private let last: Locked<DispatchTime?>
        /// When it is too late in any case.
        private let lastMoment: DispatchTime

        init(_ seconds: TimeInterval, longest: TimeInterval?, _ act: @escaping @Sendable () -> Void) {
            self.seconds = seconds
            self.act = act
            last = Locked(.now())
            lastMoment = longest.map { .now() + $0 } ?? .distantFuture
            look(at: min(.now() + seconds, lastMoment))
        }

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
