#if canImport(Glibc)
    import CNephosCurl
    import Foundation
    import Glibc

    /// The thread that performs all exchanges of a transport.
    ///
    /// Other threads leave messages for it in `box` and wake it up. The remaining state belongs to the thread.
    final class CurlLoop: @unchecked Sendable {
        /// The most exchanges that are performed at a time; further ones are queued. Long polls (``TransportRequest/waits``), and
        /// exchanges that have ended and are not released yet, do not count.
        private static let most = 32

        /// Messages of other threads.
        private struct Word {
            var begun: [CurlExchange] = []
            var cancelled: [CurlExchange] = []
            var isStopped = false
            var isNothing: Bool { begun.isEmpty && cancelled.isEmpty && !isStopped }
        }

        private let box = Locked(Word())
        private let multi: OpaquePointer

        private var waiting: [CurlExchange] = []
        private var active: [OpaquePointer: CurlExchange] = [:]
        /// Handles that no exchange uses now.
        private var idle: [OpaquePointer] = []

        /// Nil when the system has no memory for it.
        init?() {
            guard let multi = nephos_curl_multi_init() else { return nil }
            self.multi = multi
            // The number of connections to keep for later exchanges.
            _ = nephos_curl_multi_set_long(multi, CurlOption.maxConnects, 16)
            let thread = Thread { [self] in
                // A TLS library may write to a closed connection; the resulting SIGPIPE would end the program.
                var signals = sigset_t()
                sigfillset(&signals)
                pthread_sigmask(SIG_BLOCK, &signals, nil)
                run()
            }
            thread.name = "nephos.network"
            thread.start()
        }

        func begin(_ exchange: CurlExchange) { leave { $0.begun.append(exchange) } }
        func cancel(_ exchange: CurlExchange) { leave { $0.cancelled.append(exchange) } }
        func stop() { leave { $0.isStopped = true } }

        private func leave(_ word: (inout Word) -> Void) {
            box.withLock { box in
                // Under the lock: after the thread has read `isStopped`, it frees `multi`.
                if box.isNothing { nephos_curl_multi_wakeup(multi) }
                word(&box)
            }
        }

        private func run() {
            while true {
                let word = box.withLock { box in
                    defer { box = Word() }
                    return box
                }
                if word.isStopped { break }
                waiting += word.begun
                for exchange in word.cancelled { exchange.end(TransportFault(kind: .cancelled, message: "cancelled")) }
                start()
                var isWell = nephos_curl_multi_perform(multi)
                collect()
                if !waiting.isEmpty, places > 0 { continue }
                isWell = nephos_curl_multi_poll(multi, wait()) && isWell
                // For example, out of memory: some may be available again after a pause.
                if !isWell { usleep(10_000) }
            }
            for (easy, exchange) in active {
                exchange.end(TransportFault(kind: .cancelled, message: "cancelled"))
                release(easy)
            }
            for easy in idle { nephos_curl_easy_cleanup(easy) }
            nephos_curl_multi_cleanup(multi)
        }

        /// How many more exchanges may be carried.
        private var places: Int { Self.most - active.values.lazy.filter(\.takesPlace).count }

        private func start() {
            if waiting.isEmpty { return }
            var (places, rest): (Int, [CurlExchange]) = (places, [])
            for exchange in waiting where !exchange.hasEnded {
                if exchange.takesPlace {
                    guard places > 0 else {
                        rest.append(exchange)
                        continue
                    }
                    places -= 1
                }
                carry(exchange)
            }
            waiting = rest
        }

        private func carry(_ exchange: CurlExchange) {
            guard let easy = idle.popLast() ?? nephos_curl_easy_init() else {
                return exchange.end(TransportFault(kind: .local, message: "out of memory for a request"))
            }
            guard exchange.prepare(easy), nephos_curl_multi_add(multi, easy) else {
                exchange.end(TransportFault(kind: .local, message: "libcurl does not accept the request"))
                return nephos_curl_easy_cleanup(easy)
            }
            active[easy] = exchange
        }

        /// Removes exchanges that have ended from the loop, and ends those that have timed out.
        private func collect() {
            var code: Int32 = 0
            while let easy = nephos_curl_multi_ended(multi, &code) {
                active[easy]?.end(code)
                release(easy)
            }
            let now = DispatchTime.now()
            for exchange in waiting where exchange.deadline <= now { exchange.endLate() }
            waiting.removeAll(where: \.hasEnded)
            for (easy, exchange) in active {
                if exchange.deadline <= now { exchange.endLate() }
                // While its host name is being resolved, removing it would block until then. It is left in the loop, and opens no
                // connection.
                if exchange.hasEnded, nephos_curl_get_offset(easy, CurlInfo.nameLookupTime) > 0 { release(easy) }
            }
        }

        private func release(_ easy: OpaquePointer) {
            nephos_curl_multi_remove(multi, easy)
            if idle.count < Self.most / 2 {
                nephos_curl_easy_reset(easy)
                idle.append(easy)
            } else {
                nephos_curl_easy_cleanup(easy)
            }
            // Last, since the handle has pointers into the exchange.
            active[easy] = nil
        }

        /// Milliseconds until the next exchange times out.
        private func wait() -> Int32 {
            let deadlines = active.values.lazy.filter { !$0.hasEnded }.map(\.deadline) + waiting.map(\.deadline)
            let now = DispatchTime.now()
            guard let next = deadlines.min() else { return 3_600_000 }
            guard next > now else { return 0 }
            return Int32(min((next.uptimeNanoseconds - now.uptimeNanoseconds) / 1_000_000 + 1, 3_600_000))
        }
    }
#endif
