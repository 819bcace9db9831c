#if canImport(Glibc)
    import CNephosCurl
    import Foundation

    /// One request in progress. Once it has begun, it belongs to the thread of the ``CurlLoop``.
    final class CurlExchange: @unchecked Sendable {
        let outcome = Eventually<Result<TransportAnswer, TransportFault>>()
        /// Whether its outcome is known. libcurl may still hold a reference to it.
        private(set) var hasEnded = false
        /// Whether it counts toward the limit of concurrent exchanges.
        var takesPlace: Bool { !hasEnded && !request.waits }
        /// When it times out, unless data is transferred before.
        private(set) var deadline: DispatchTime
        /// When it was taken from the queue; nil before.
        private var began: DispatchTime?

        private let request: TransportRequest
        private let seconds: Double
        private var source: CurlSource
        private var target: CurlTarget
        private var head = CurlHead()
        /// The fault that a callback found.
        private var fault: TransportFault?
        private var easy: OpaquePointer?
        private var headers: OpaquePointer?
        /// libcurl's buffer for an error message.
        private let message: UnsafeMutablePointer<CChar>
        private static let messageSize = 256

        init(_ request: TransportRequest) throws(TransportFault) {
            guard ["http", "https"].contains(request.url.scheme), request.url.host?.isEmpty == false else {
                throw TransportFault(
                    kind: .unusable, message: "\(request.url.withoutQuery) is not an http or https address")
            }
            self.request = request
            // Operations have time-outs of their own.
            let longest = 7.0 * 24 * 3_600
            seconds = request.timeout < longest ? max(request.timeout, 0) : longest
            deadline = .now() + seconds
            source = try CurlSource(request.body)
            do throws(TransportFault) {
                target = try CurlTarget(request.sink)
            } catch {
                source.close()
                throw error
            }
            message = .allocate(capacity: Self.messageSize)
            message.initialize(repeating: 0, count: Self.messageSize)
        }

        deinit {
            nephos_curl_free(headers)
            message.deallocate()
        }

        /// Sets the options of a libcurl handle.
        ///
        /// - Returns: Whether libcurl accepts all that are required.
        func prepare(_ easy: OpaquePointer) -> Bool {
            self.easy = easy
            // The time in the queue has the same limit as a time without data, and counts toward neither of the two limits from here
            // on.
            began = .now()
            moved()
            let own = Unmanaged.passUnretained(self).toOpaque()
            let isPost = request.method == "POST" || source.size > 0
            var lines = request.headers.map { name, value in value.isEmpty ? "\(name);" : "\(name): \(value)" }
            // Removes headers that libcurl would add: `Expect: 100-continue`, and the content type of a form.
            lines.append("Expect:")
            if isPost, request.headers["Content-Type"] == nil { lines.append("Content-Type:") }
            for line in lines {
                guard !line.utf8.contains(where: { $0 < UInt8(ascii: " ") }),
                    let longer = nephos_curl_append(headers, line)
                else { return false }
                headers = longer
            }
            // http and https only
            var isWell = nephos_curl_set_long(easy, CurlOption.protocols, 3)
            isWell = nephos_curl_set_text(easy, CurlOption.url, request.url.absoluteString) && isWell
            isWell = nephos_curl_set_long(easy, CurlOption.pathAsIs, 1) && isWell
            // HTTP/1.1
            isWell = nephos_curl_set_long(easy, CurlOption.httpVersion, 2) && isWell
            isWell = nephos_curl_set_long(easy, CurlOption.noSignal, 1) && isWell
            isWell = nephos_curl_set_long(easy, CurlOption.suppressConnectHeaders, 1) && isWell
            isWell = nephos_curl_set_pointer(easy, CurlOption.httpHeader, UnsafeRawPointer(headers)) && isWell
            isWell = nephos_curl_set_pointer(easy, CurlOption.errorBuffer, message) && isWell
            for option in [
                CurlOption.readData, CurlOption.writeData, CurlOption.headerData, CurlOption.seekData,
                CurlOption.socketData,
            ] {
                isWell = nephos_curl_set_pointer(easy, option, own) && isWell
            }
            isWell = nephos_curl_set_bytes(easy, CurlOption.readFunction, CurlCallbacks.read) && isWell
            isWell = nephos_curl_set_bytes(easy, CurlOption.writeFunction, CurlCallbacks.write) && isWell
            isWell = nephos_curl_set_bytes(easy, CurlOption.headerFunction, CurlCallbacks.header) && isWell
            isWell = nephos_curl_set_seek(easy, CurlOption.seekFunction, CurlCallbacks.seek) && isWell
            isWell = nephos_curl_set_socket(easy, CurlOption.socketFunction, CurlCallbacks.socket) && isWell
            if isPost {
                isWell = nephos_curl_set_long(easy, CurlOption.post, 1) && isWell
                isWell = nephos_curl_set_offset(easy, CurlOption.postFieldSize, source.size) && isWell
            }
            if request.method != (isPost ? "POST" : "GET") {
                isWell = nephos_curl_set_text(easy, CurlOption.customRequest, request.method) && isWell
            }
            // A handle that was used before has its buffer already, and refuses this.
            _ = nephos_curl_set_long(easy, CurlOption.bufferSize, 64 << 10)
            // A libcurl without gzip refuses this, and works without it.
            _ = nephos_curl_set_text(easy, CurlOption.acceptEncoding, "gzip")
            return isWell
        }

        // MARK: Ending

        /// - Parameter code: libcurl's result code for the transfer.
        func end(_ code: Int32) {
            if let fault { return end(fault) }
            guard code == 0 else {
                let systemError = easy.map { Int32(truncatingIfNeeded: nephos_curl_get_long($0, CurlInfo.systemError)) }
                let kind = TransportFault.Kind(curl: code, systemError: systemError ?? 0)
                let text = String(cString: message)
                let reason = text.isEmpty ? String(cString: nephos_curl_error_text(code)) : text
                return end(classified(TransportFault(kind: kind, message: reason)))
            }
            finish(.success(TransportAnswer(status: status, headers: head.fields, body: target.body)))
        }

        func endLate() {
            let isEndless = lastMoment.map { $0 <= .now() } ?? false
            end(classified(isEndless ? .endless(longest ?? 0) : .silent(request.timeout)))
        }

        func end(_ fault: TransportFault) { finish(.failure(fault)) }

        private func finish(_ result: Result<TransportAnswer, TransportFault>) {
            if hasEnded { return }
            hasEnded = true
            source.close()
            target.close(isKept: (try? result.get())?.status == 200)
            outcome.set(result)
        }

        /// Corrects the kind of a fault: a body of which nothing was sent has changed nothing at the server.
        private func classified(_ fault: TransportFault) -> TransportFault {
            guard source.size > 0 else { return fault }
            var fault = fault
            switch fault.kind {
            case .lost where source.sent == 0: fault.kind = .unreachable
            case .unreachable where source.sent > 0: fault.kind = .lost
            default: break
            }
            return fault
        }

        // MARK: Called by libcurl

        private var status: Int { easy.map { nephos_curl_get_long($0, CurlInfo.status) } ?? 0 }

        private var longest: TimeInterval? { request.longest(sent: source.sent, received: target.received) }

        /// When it fails in any case, unless more is transferred before; nil for a response that does not end.
        private var lastMoment: DispatchTime? {
            guard let began, let longest else { return nil }
            return began + longest
        }

        private func moved() {
            deadline = .now() + seconds
            if let lastMoment { deadline = min(deadline, lastMoment) }
        }

        /// - Returns: The number of bytes; nil to abort the transfer.
        func read(_ room: UnsafeMutableRawBufferPointer) -> Int? {
            guard !hasEnded else { return nil }
            // After the bytes were counted.
            defer { moved() }
            do throws(TransportFault) {
                let count = try source.read(into: room)
                if count > 0 { request.progress?(Double(source.sent) / Double(source.size)) }
                return count
            } catch {
                fault = error
                return nil
            }
        }

        /// - Returns: Whether to continue.
        func take(_ bytes: UnsafeRawBufferPointer, isHead: Bool) -> Bool {
            guard !hasEnded else { return false }
            // After the bytes were counted.
            defer { moved() }
            do throws(TransportFault) {
                if isHead {
                    try head.take(bytes)
                } else {
                    let expected = easy.map { nephos_curl_get_offset($0, CurlInfo.length) } ?? -1
                    let share = try target.take(bytes, status: status, of: expected)
                    if let share { request.progress?(share) }
                }
                return true
            } catch {
                fault = error
                return false
            }
        }
    }
#endif
