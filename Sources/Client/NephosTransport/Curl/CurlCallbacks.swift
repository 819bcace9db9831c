#if canImport(Glibc)
    import CNephosCurl
    import Glibc

    /// The functions by which libcurl asks an exchange, which is their context, for bytes and brings it some.
    enum CurlCallbacks {
        // What libcurl takes for "give it up".
        private static let abortRead = 0x1000_0000
        private static let refuse: Int32 = 1

        static let read: nephos_curl_bytes = { bytes, size, count, context in
            exchange(context)?.read(UnsafeMutableRawBufferPointer(start: bytes, count: size * count)) ?? abortRead
        }

        static let header: nephos_curl_bytes = { bytes, size, count, context in
            take(bytes, size * count, context, isHead: true)
        }

        static let write: nephos_curl_bytes = { bytes, size, count, context in
            take(bytes, size * count, context, isHead: false)
        }

        /// libcurl goes back to the beginning when it wants to send a request once more: nobody asked for that, and the server
        /// may have done what it says.
        static let seek: nephos_curl_seek = { _, _, _ in refuse }

        /// Nothing is opened for what has ended. Programs that this one starts do not get its connections.
        static let socket: nephos_curl_socket = { context, socket, _ in
            _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
            return exchange(context)?.hasEnded == false ? 0 : refuse
        }

        private static func take(
            _ bytes: UnsafeMutablePointer<CChar>?, _ count: Int, _ context: UnsafeMutableRawPointer?, isHead: Bool
        ) -> Int {
            let isTaken = exchange(context)?.take(UnsafeRawBufferPointer(start: bytes, count: count), isHead: isHead)
            // Any other number than theirs refuses them.
            return isTaken == true ? count : count + 1
        }

        private static func exchange(_ context: UnsafeMutableRawPointer?) -> CurlExchange? {
            context.map { Unmanaged<CurlExchange>.fromOpaque($0).takeUnretainedValue() }
        }
    }
#endif
