#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The output for logs.
package enum StandardError {
    /// Writes all of `bytes`, waiting for the reader. If there is no reader any more, they are dropped.
    package static let write: @Sendable ([UInt8]) -> Void = { bytes in
        bytes.withUnsafeBytes { bytes in
            var left = bytes[...]
            while !left.isEmpty {
                let part = UnsafeRawBufferPointer(rebasing: left)
                #if canImport(Darwin)
                    let count = Darwin.write(STDERR_FILENO, part.baseAddress, part.count)
                #elseif canImport(Musl)
                    let count = Musl.write(STDERR_FILENO, part.baseAddress, part.count)
                #else
                    let count = Glibc.write(STDERR_FILENO, part.baseAddress, part.count)
                #endif
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return }
                left = left.dropFirst(count)
            }
        }
    }
}
