/// What carries requests to servers where nobody chooses otherwise.
enum Network {
    static let transport: any Transport = {
        #if canImport(Glibc)
            CurlTransport()
        #else
            URLSessionTransport()
        #endif
    }()
}
