/// The method of a request, in upper case as received.
package struct RequestMethod: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    package var description: String { rawValue }

    package static let get = RequestMethod(rawValue: "GET")
    package static let head = RequestMethod(rawValue: "HEAD")
    package static let post = RequestMethod(rawValue: "POST")
    package static let put = RequestMethod(rawValue: "PUT")
    package static let options = RequestMethod(rawValue: "OPTIONS")
}
