/// What a browser shows at an address where there is no page.
enum MissingPage {
    /// - Parameters:
    ///   - reason: What a program gets, which may contain a part of the address.
    ///   - base: The path below which all pages are.
    static func answer(status: Int, _ reason: String, below base: String) -> RawResponse {
        let body = """
            <h1>There is no page here</h1>
            <p>Is the address complete? <a href="\(base)/">The first page of this server</a> lists its documentation.</p>
            <p>A program that requests this address gets: <i>\(reason.escaped)</i></p>
            """
        var answer = HTMLPage(title: "There is no page here - Nephos", body: body)
            .answer(status: status, endpoint: "other")
        answer.headers += [("Vary", "Accept"), ("Cache-Control", "no-store")]
        return answer
    }
}
