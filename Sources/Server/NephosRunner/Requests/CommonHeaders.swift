/// The headers of every response, in addition to its own headers, its id and its length.
package enum CommonHeaders {
    package static let ofAll = [("Server", "nephos"), ("X-Apple-CloudKit-Version", "1.0")]

    /// Allows pages of any origin to read a response (``RawResponse/isForAllOrigins``).
    package static let ofAllOrigins = [
        ("Access-Control-Allow-Origin", "*"),
        (
            "Access-Control-Expose-Headers",
            "X-Apple-Request-UUID,X-Apple-CloudKit-Web-Auth-Token,X-Responding-Instance,Via,Retry-After,ETag,"
                + "Content-Length,Content-Range,Accept-Ranges"
        ),
    ]
}
