#if canImport(Glibc)
    import CNephosCurl
    import Glibc

    /// The callbacks by which libcurl reads bytes from an exchange, which is their context, and passes received bytes to it.
    enum CurlCallbacks {
        // Results that make libcurl abort the transfer.
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

        /// libcurl seeks to the beginning of a body to send the request again. That is refused, since the server may have executed
        /// the request already.
        static let seek: nephos_curl_seek = { _, _, _ in refuse }

        /// Refuses a connection for an exchange that has ended. Child processes do not inherit connections.
        static let socket: nephos_curl_socket = { context, socket, _ in
            _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
            return exchange(context)?.hasEnded == false ? 0 : refuse
        }

        private static func take(
            _ bytes: UnsafeMutablePointer<CChar>?, _ count: Int, _ context: UnsafeMutableRawPointer?, isHead: Bool
        ) -> Int {
            let isTaken = exchange(context)?.take(UnsafeRawBufferPointer(start: bytes, count: count), isHead: isHead)
            // Any number other than `count` makes libcurl abort the transfer.
            return isTaken == true ? count : count + 1
        }

        private static func exchange(_ context: UnsafeMutableRawPointer?) -> CurlExchange? {
            context.map { Unmanaged<CurlExchange>.fromOpaque($0).takeUnretainedValue() }
        }
    }
#endif
