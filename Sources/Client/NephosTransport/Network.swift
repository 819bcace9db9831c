/// What carries requests to servers where nobody chooses otherwise.
package enum Network {
    package static let transport: any Transport = {
        #if canImport(Glibc)
            CurlTransport()
        #else
            URLSessionTransport()
        #endif
    }()
}
