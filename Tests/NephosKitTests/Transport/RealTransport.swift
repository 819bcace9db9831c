@testable import NephosKit
@testable import NephosTransport

/// The transport for the network in programs.
#if canImport(Glibc)
    typealias RealTransport = CurlTransport
#else
    typealias RealTransport = URLSessionTransport
#endif

extension RealTransport { static let shared = RealTransport() }
