@testable import NephosKit

/// What talks to the network in programs.
typealias RealTransport = URLSessionTransport
