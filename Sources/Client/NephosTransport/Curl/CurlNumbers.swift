#if canImport(Glibc)
    import Glibc

    /// Option numbers of curl_easy_setopt(3) and curl_multi_setopt(3): from 0 for integers, from 10,000 for pointers, from 20,000 for
    /// functions, and from 30,000 for 64-bit integers.
    enum CurlOption {
        static let post: Int32 = 47
        static let maxConnects: Int32 = 6
        static let httpVersion: Int32 = 84
        static let bufferSize: Int32 = 98
        static let noSignal: Int32 = 99
        static let protocols: Int32 = 181
        static let pathAsIs: Int32 = 234
        static let suppressConnectHeaders: Int32 = 265

        static let writeData: Int32 = 10_001
        static let url: Int32 = 10_002
        static let readData: Int32 = 10_009
        static let errorBuffer: Int32 = 10_010
        static let httpHeader: Int32 = 10_023
        static let headerData: Int32 = 10_029
        static let customRequest: Int32 = 10_036
        static let acceptEncoding: Int32 = 10_102
        static let socketData: Int32 = 10_149
        static let seekData: Int32 = 10_168

        static let writeFunction: Int32 = 20_011
        static let readFunction: Int32 = 20_012
        static let headerFunction: Int32 = 20_079
        static let socketFunction: Int32 = 20_148
        static let seekFunction: Int32 = 20_167

        static let postFieldSize: Int32 = 30_120
    }

    /// Numbers of curl_easy_getinfo(3).
    enum CurlInfo {
        static let status: Int32 = 0x20_0002
        static let systemError: Int32 = 0x20_0019
        static let length: Int32 = 0x60_000F
        static let nameLookupTime: Int32 = 0x60_0033
    }

    extension TransportFault.Kind {
        /// The kind of fault for an error code of libcurl-errors(3).
        init(curl code: Int32, systemError: Int32) {
            switch code {
            // The name of a proxy or of the host cannot be resolved.
            case 5, 6: self = .noNetwork
            case 7: self = [ENETUNREACH, ENETDOWN].contains(systemError) ? .noNetwork : .unreachable
            // An invalid URL, a failed TLS handshake, an untrusted certificate, or a problem with the client's own certificate.
            case 3, 35, 51, 53, 54, 58, 59, 60, 66, 77, 80, 82, 83, 90, 91, 98: self = .unreachable
            // Not HTTP.
            case 1: self = .unusable
            default: self = .lost
            }
        }
    }
#endif
