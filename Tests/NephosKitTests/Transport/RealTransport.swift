@testable import NephosKit
@testable import NephosTransport

/// What talks to the network in programs.
#if canImport(Glibc)
    typealias RealTransport = CurlTransport
#else
    typealias RealTransport = URLSessionTransport
#endif

extension RealTransport { static let shared = RealTransport() }
