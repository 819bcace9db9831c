import RequestTesting

/// Files: offered, uploaded, added to records, downloaded, and added to other records.
enum Assets {
    static var requests: [RecordedRequest] { offers + uploads + saved + downloads + rereferenced + late }

    private static let form = [(name: "Content-Type", value: "multipart/form-data; boundary=line")]

    private static func offer(
        _ tokens: String..., database: String = "private", by caller: SmallCloud.Caller = .person,
        as name: String? = nil
    ) -> RecordedRequest {
        RecordedRequest(
            caller, "\(database)/assets/upload", #"{"tokens":[\#(tokens.joined(separator: ","))]}"#, as: name)
    }

    private static func token(_ field: String, _ type: String = "Thing") -> String {
        #"{"recordName":"a1","recordType":"\#(type)","fieldName":"\#(field)"}"#
    }

    private static var offers: [RecordedRequest] {
        [
            offer(token("file"), as: "offer"), offer(token("files"), token("file"), as: "offers"),
            offer(token("file"), database: "public", as: "published"),
            offer(token("file"), database: "public", by: .key, as: "keys"),
            offer(token("file"), by: .friend, as: "friends"), offer(token("file", "Note")), offer(token("text")),
            offer(token("fresh")),
            offer(token("file", "Fresh")), offer(token("file", "Notice"), database: "public"),
            offer(token("file", "Ledger"), database: "public").with(RecordedRequest.extras), offer(),
            offer(#"{"recordType":"Thing","fieldName":"file"}"#), offer(#"{"fieldName":"file"}"#),
            offer(#"{"recordType":"Thing"}"#),
            offer(token("file"), database: "shared"), offer(token("file"), database: "public", by: .app),
            RecordedRequest(
                .person, "private/assets/upload", #"{"zoneID":{"zoneName":"None"},"tokens":[\#(token("file"))]}"#),
            RecordedRequest(
                .person, "private/assets/upload", #"{"zoneID":{"zoneName":"One"},"tokens":[\#(token("file"))]}"#),
        ]
    }

    static func upload(
        _ offer: String, _ body: String, as name: String? = nil, headers: [(name: String, value: String)] = form,
        method: String = "POST"
    ) -> RecordedRequest {
        var request = RecordedRequest(.stranger, "$(\(offer)/tokens/0/url)", body, as: name, headers: headers)
        request.method = method
        return request
    }

    /// - Parameter type: The type of the file in the form.
    private static func part(_ content: String, _ type: String = "text/plain") -> String {
        let head = #"Content-Disposition: form-data; name="files"; filename="a""#
        return "--line\r\n\(head)\r\nContent-Type: \(type)\r\n\r\n\(content)\r\n--line--\r\n"
    }

    private static var uploads: [RecordedRequest] {
        let text = [(name: "Content-Type", value: "text/html")]
        let unbounded = [(name: "Content-Type", value: "multipart/form-data")]
        return [
            upload("offer", part("hello"), as: "hello"), upload("offer", "raw bytes", as: "raw", headers: text),
            upload("offers", "put", as: "put", headers: text, method: "PUT"),
            upload("published", part("public"), as: "shown"),
            upload("keys", part("by key"), as: "bykey"), upload("friends", part("hello"), as: "theirs"),
            upload("offer", String(repeating: "0123456789", count: 10_000), as: "large", headers: text),
            upload("offer", part("hello", "image/png")), upload("offer", part("")), upload("offer", "", headers: []),
            upload("offer", "--other\r\n\r\n"), upload("offer", "--line\r\n\r\nno end"), upload("offer", "--line"),
            upload("offer", part("x"), headers: unbounded), upload("offer", "x", headers: RecordedRequest.extras),
            RecordedRequest("GET", .stranger, "$(offer/tokens/0/url)"),
            RecordedRequest("DELETE", .stranger, "$(offer/tokens/0/url)"),
            RecordedRequest("OPTIONS", .stranger, "$(offer/tokens/0/url)"),
            RecordedRequest(.stranger, "$(offer/tokens/0/url)A", "x"),
            RecordedRequest(.stranger, "\(root)/upload?t=AAAA", "x"), RecordedRequest(.stranger, "\(root)/upload", "x"),
            RecordedRequest(.stranger, "\(root)/upload?t=", "x", headers: RecordedRequest.extras),
            RecordedRequest(.stranger, "/asset/1/iCloud.org.nephos.unknown/development/upload?t=AAAA", "x"),
            RecordedRequest(.stranger, "/asset/1/\(SmallCloud.container)/staging/upload?t=AAAA", "x"),
        ]
    }

    static let root = "/asset/1/\(SmallCloud.container)/development"
}
