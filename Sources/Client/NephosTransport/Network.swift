/// The transport that is used by default.
package enum Network {
    package static let transport: any Transport = {
        #if canImport(Glibc)
            CurlTransport()
        #else
            URLSessionTransport()
        #endif
    }()
}
