/// A request as received by a stand-in.
package struct RecordedRequest: Sendable {
    /// The number of the connection, from 1; requests on the same one have the same number.
    package let connection: Int
    /// For example `2.0`.
    package let httpVersion: String
    package let method: String
    /// Path and query, as sent.
    package let path: String
    package let headers: [(name: String, value: String)]
    package let body: [UInt8]

    /// All values of a header, whose name may be in any case.
    package func values(of name: String) -> [String] {
        headers.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
    }

    /// The only value of a header; nil if there is none, or more than one.
    package func header(_ name: String) -> String? {
        let values = values(of: name)
        return values.count == 1 ? values.first : nil
    }

    package var bodyText: String { String(decoding: body, as: UTF8.self) }
}
