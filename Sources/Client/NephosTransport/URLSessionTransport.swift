#if !canImport(Glibc)
    import Foundation

    #if canImport(FoundationNetworking)
        import FoundationNetworking
    #endif

    /// Sends requests with `URLSession`. Stores no cookies, has no cache, and follows no redirects, which could expose secrets.
    final class URLSessionTransport: NSObject, Transport, @unchecked Sendable {
        private let exchanges = Locked<[Int: Exchange]>([:])
        private lazy var session = URLSession(
            configuration: Self.configuration, delegate: self, delegateQueue: Self.queue)

        /// Serial, so that an exchange needs no synchronization of its own.
        private static let queue: OperationQueue = {
            let queue = OperationQueue()
            queue.name = "nephos.transport"
            queue.maxConcurrentOperationCount = 1
            return queue
        }()

        /// The session's time-out in seconds: operations have time-outs of their own.
        private static let longest: TimeInterval = 7 * 24 * 3_600

        private static var configuration: URLSessionConfiguration {
            let configuration = URLSessionConfiguration.default
            configuration.httpCookieStorage = nil
            configuration.httpShouldSetCookies = false
            configuration.urlCache = nil
            configuration.urlCredentialStorage = nil
            configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
            configuration.httpMaximumConnectionsPerHost = 6
            configuration.timeoutIntervalForRequest = longest
            configuration.timeoutIntervalForResource = longest
            return configuration
        }

        override init() {
            super.init()
            // Created before several threads may use it.
            _ = session
        }

        func send(_ request: TransportRequest) async throws(TransportFault) -> TransportAnswer {
            let (task, exchange) = try prepare(request)
            exchanges.withLock { $0[task.taskIdentifier] = exchange }
            let watch = Watch(request.timeout, longest: { exchange.longest }) {
                exchange.timedOut()
                task.cancel()
            }
            exchange.watch.value = watch
            defer { watch.stop() }
            let outcome = await withTaskCancellationHandler {
                task.resume()
                return await exchange.outcome.wait()
            } onCancel: {
                task.cancel()
            }
            return try outcome.get()
        }

        private func prepare(_ request: TransportRequest) throws(TransportFault) -> (URLSessionTask, Exchange) {
            guard ["http", "https"].contains(request.url.scheme), request.url.host?.isEmpty == false else {
                throw TransportFault(
                    kind: .unusable, message: "\(request.url.withoutQuery) is not an http or https address")
            }
            // The exchange has its own time-out, for time without any data transfer.
            var urlRequest = URLRequest(url: request.url, timeoutInterval: Self.longest)
            urlRequest.httpMethod = request.method
            for (name, value) in request.headers { urlRequest.setValue(value, forHTTPHeaderField: name) }
            let exchange = try Exchange(request)
            switch request.body {
            case .none: return (session.dataTask(with: urlRequest), exchange)
            case .bytes(let bytes): return (session.uploadTask(with: urlRequest, from: bytes), exchange)
            case .file(let url): return (session.uploadTask(with: urlRequest, fromFile: url), exchange)
            }
        }

        private func exchange(_ task: URLSessionTask) -> Exchange? { exchanges.value[task.taskIdentifier] }
    }

    extension URLSessionTransport: URLSessionDataDelegate {
        func urlSession(
            _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
            newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
        ) {
            completionHandler(nil)
        }

        func urlSession(
            _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
            totalBytesExpectedToSend: Int64
        ) {
            exchange(task)?.sent(totalBytesSent, of: totalBytesExpectedToSend)
        }

        func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
            let status = (dataTask.response as? HTTPURLResponse)?.statusCode ?? 0
            // Data that arrives after the end is ignored.
            guard let exchange = exchange(dataTask) else { return }
            if exchange.take(data, of: dataTask.countOfBytesExpectedToReceive, status) { return }
            exchanges.withLock { _ = $0.removeValue(forKey: dataTask.taskIdentifier) }
            exchange.end(nil, nil)
            dataTask.cancel()
        }

        func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
            let exchange = exchanges.withLock { $0.removeValue(forKey: task.taskIdentifier) }
            exchange?.end(task.response, error)
        }
    }

    /// One request in progress. Used on the transport's queue only, once it has begun.
    private final class Exchange: @unchecked Sendable {
        let outcome = Eventually<Result<TransportAnswer, TransportFault>>()
        private let request: TransportRequest
        private let file: FileHandle?
        private var body = Data()
        /// The bytes of both bodies, which are also read by the watch on another thread.
        private let moved = Locked((sent: Int64(0), received: Int64(0)))
        /// Whether the server may have received a part of the body.
        private var hasSent = false
        private var fault: TransportFault?
        private let late = Locked(false)
        let watch = Locked<Watch?>(nil)

        init(_ request: TransportRequest) throws(TransportFault) {
            self.request = request
            guard case .file(let url, _) = request.sink else {
                file = nil
                return
            }
            let permissions: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
            guard !FileManager.default.fileExists(atPath: url.path),
                FileManager.default.createFile(atPath: url.path, contents: nil, attributes: permissions),
                let handle = FileHandle(forWritingAtPath: url.path)
            else { throw TransportFault(kind: .local, message: "\(url.path) cannot be written") }
            file = handle
        }

        func timedOut() { late.value = true }

        var longest: TimeInterval? {
            let moved = moved.value
            return request.longest(sent: moved.sent, received: moved.received)
        }

        /// Corrects the kind of a fault: a body of which nothing was sent has changed nothing at the server.
        private func classified(_ fault: TransportFault) -> TransportFault {
            var fault = fault
            switch (request.body, fault.kind) {
            case (.none, _): break
            case (_, .lost) where !hasSent: fault.kind = .unreachable
            case (_, .unreachable) where hasSent: fault.kind = .lost
            default: break
            }
            return fault
        }

        func sent(_ count: Int64, of expected: Int64) {
            moved.withLock { $0.sent = count }
            watch.value?.moved()
            hasSent = true
            if case .none = request.body { return }
            request.progress?(min(Double(count) / Double(max(expected, 1)), 1))
        }

        /// - Returns: Whether to continue.
        func take(_ data: Data, of expected: Int64, _ status: Int) -> Bool {
            let received = moved.withLock { moved in
                moved.received += Int64(data.count)
                return moved.received
            }
            watch.value?.moved()
            // Only the body of a successful response goes to the sink; that of any other describes the error.
            switch 200..<300 ~= status ? request.sink : .memory(limit: 1 << 20) {
            case .memory(let limit):
                guard received <= limit else { return stop(.unusable, "the answer has more than \(limit) bytes") }
                body.append(data)
            case .file(let url, let limit):
                guard received <= limit else { return stop(.unusable, "the file has more than \(limit) bytes") }
                do {
                    try file?.write(contentsOf: data)
                } catch {
                    return stop(.local, "\(url.path) cannot be written: \(error)")
                }
                if expected > 0 { request.progress?(min(Double(received) / Double(expected), 1)) }
            case .pieces(let take): take(data)
            }
            return true
        }

        private func stop(_ kind: TransportFault.Kind, _ message: String) -> Bool {
            fault = TransportFault(kind: kind, message: message)
            return false
        }

        func end(_ response: URLResponse?, _ error: (any Error)?) {
            try? file?.close()
            let result: Result<TransportAnswer, TransportFault>
            if let fault {
                result = .failure(fault)
            } else if error != nil, late.value {
                let isEndless = watch.value?.hasEnded ?? false
                result = .failure(classified(isEndless ? .endless(longest ?? 0) : .silent(request.timeout)))
            } else if let error {
                result = .failure(classified(TransportFault(error)))
            } else if let response = response as? HTTPURLResponse {
                var headers: [String: String] = [:]
                for case (let name as String, let value as String) in response.allHeaderFields {
                    headers[name.lowercased()] = value
                }
                result = .success(TransportAnswer(status: response.statusCode, headers: headers, body: body))
            } else {
                result = .failure(TransportFault(kind: .unusable, message: "the answer is not HTTP"))
            }
            if case .file(let url, _) = request.sink, (try? result.get())?.status != 200 {
                try? FileManager.default.removeItem(at: url)
            }
            outcome.set(result)
        }
    }

    extension TransportFault {
        fileprivate init(_ error: any Error) {
            let code = (error as? URLError)?.code
            let kind: Kind =
                switch code {
                case .cancelled: .cancelled
                case .notConnectedToInternet, .cannotFindHost, .dnsLookupFailed, .dataNotAllowed,
                    .internationalRoamingOff:
                    .noNetwork
                case .cannotConnectToHost, .secureConnectionFailed, .serverCertificateUntrusted,
                    .serverCertificateHasBadDate,
                    .serverCertificateNotYetValid, .serverCertificateHasUnknownRoot, .clientCertificateRejected,
                    .clientCertificateRequired, .appTransportSecurityRequiresSecureConnection, .badURL:
                    .unreachable
                case .unsupportedURL, .cannotParseResponse, .cannotDecodeRawData, .cannotDecodeContentData,
                    .dataLengthExceedsMaximum, .httpTooManyRedirects, .redirectToNonExistentLocation:
                    .unusable
                case .fileDoesNotExist, .fileIsDirectory, .noPermissionsToReadFile, .cannotOpenFile, .cannotWriteToFile:
                    .local
                default: .lost
                }
            self.init(kind: kind, message: error.localizedDescription)
        }
    }
#endif
