#if canImport(Glibc)
    import Foundation
    import Glibc

    /// The source of a request's body.
    struct CurlSource {
        private enum Origin {
            case bytes(Data)
            case file(Int32, path: String)
        }

        let size: Int64
        private(set) var sent: Int64 = 0
        private var origin: Origin

        init(_ body: TransportRequest.Body) throws(TransportFault) {
            switch body {
            case .none: (origin, size) = (.bytes(Data()), 0)
            case .bytes(let bytes): (origin, size) = (.bytes(bytes), Int64(bytes.count))
            case .file(let url):
                let file = open(url.path, O_RDONLY | O_CLOEXEC)
                var facts = stat()
                guard file >= 0, fstat(file, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
                    if file >= 0 { Glibc.close(file) }
                    throw TransportFault(kind: .local, message: "\(url.path) cannot be read")
                }
                (origin, size) = (.file(file, path: url.path), Int64(facts.st_size))
            }
        }

        mutating func read(into room: UnsafeMutableRawBufferPointer) throws(TransportFault) -> Int {
            let count = Int(min(Int64(room.count), size - sent))
            switch origin {
            case .bytes(let bytes):
                let start = bytes.startIndex + Int(sent)
                bytes.copyBytes(to: room, from: start..<start + count)
                sent += Int64(count)
                return count
            case .file(let file, let path):
                let count = Glibc.read(file, room.baseAddress, count)
                guard count > 0 || sent == size else {
                    throw TransportFault(
                        kind: .local, message: "\(path) became shorter during the upload, or can no longer be read")
                }
                sent += Int64(count)
                return count
            }
        }

        mutating func close() {
            if case .file(let file, _) = origin { Glibc.close(file) }
            origin = .bytes(Data())
        }
    }

    /// The destination of a response's body.
    struct CurlTarget {
        /// The most bytes of an error response's body.
        private static let complaint = 1 << 20

        private(set) var body = Data()
        private let sink: TransportRequest.Sink
        private(set) var received: Int64 = 0
        private var file: Int32 = -1

        init(_ sink: TransportRequest.Sink) throws(TransportFault) {
            self.sink = sink
            guard case .file(let url, _) = sink else { return }
            file = open(url.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            if file < 0 { throw TransportFault(kind: .local, message: "\(url.path) cannot be written") }
        }

        /// - Parameter expected: The content length of the response; negative if it specifies none.
        /// - Returns: The fraction of a file that was received; nil if the length is unknown, or the body is not written to
        ///   a file.
        mutating func take(
            _ bytes: UnsafeRawBufferPointer, status: Int, of expected: Int64
        ) throws(TransportFault) -> Double? {
            received += Int64(bytes.count)
            // Only the body of a successful response goes to the sink; that of any other describes the error.
            switch 200..<300 ~= status ? sink : .memory(limit: Self.complaint) {
            case .memory(let limit):
                guard received <= limit else {
                    throw TransportFault(kind: .unusable, message: "the answer has more than \(limit) bytes")
                }
                if body.isEmpty, expected > 0 { body.reserveCapacity(Int(min(expected, Int64(limit), 1 << 20))) }
                body.append(contentsOf: bytes)
                return nil
            case .file(let url, let limit):
                guard received <= limit else {
                    throw TransportFault(kind: .unusable, message: "the file has more than \(limit) bytes")
                }
                var rest = bytes[...]
                while !rest.isEmpty {
                    let count = UnsafeRawBufferPointer(rebasing: rest).withMemoryRebound(to: UInt8.self) {
                        write(file, $0.baseAddress, $0.count)
                    }
                    guard count > 0 else {
                        let reason = String(cString: strerror(errno))
                        throw TransportFault(kind: .local, message: "\(url.path) cannot be written: \(reason)")
                    }
                    rest = rest.dropFirst(count)
                }
                return expected > 0 ? min(Double(received) / Double(expected), 1) : nil
            case .pieces(let take):
                take(Data(bytes))
                return nil
            }
        }

        /// - Parameter isKept: Whether to keep the file, or to remove it.
        mutating func close(isKept: Bool) {
            guard case .file(let url, _) = sink, file >= 0 else { return }
            Glibc.close(file)
            file = -1
            if !isKept { unlink(url.path) }
        }
    }
#endif
