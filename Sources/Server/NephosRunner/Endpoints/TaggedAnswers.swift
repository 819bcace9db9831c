extension RawResponse {
    /// The same with an entity tag, or 304 without a body for who has just that already.
    ///
    /// - Parameters:
    ///   - tag: Another one whenever the body is another; printable ASCII without quotes.
    ///   - kept: How long whoever gets it may keep it, as `Cache-Control` says it.
    package func tagged(_ tag: String, for request: RawRequest, kept: String = "private, no-cache") -> RawResponse {
        var answer = self
        let tag = answer.add(tag, kept: kept)
        guard EntityTags(request.headers[.ifNoneMatch]).matchesWeakly(tag) else { return answer }
        (answer.status, answer.body) = (304, [])
        return answer
    }

    fileprivate mutating func add(_ tag: String, kept: String) -> String {
        // Weak, since the connection may compress the body.
        let tag = "W/\"\(tag)\""
        headers += [("ETag", tag), ("Cache-Control", kept)]
        return tag
    }
}

extension AdmittedCall {
    /// An answer of JSON with an entity tag: ``RawResponse/tagged(_:for:kept:)``. No cache that is shared keeps one to a person.
    package func answer(_ json: [UInt8], tag: String, kept: String = "private, no-cache") -> RawResponse {
        // What is answered to a person may have their next token with it.
        success(json).tagged(tag, for: call.request, kept: issuer == nil ? kept : "private, no-cache")
    }

    /// That who asks has the answer with a tag already.
    package func unchanged(tag: String, kept: String = "private, no-cache") -> RawResponse {
        var answer = success([])
        _ = answer.add(tag, kept: issuer == nil ? kept : "private, no-cache")
        answer.status = 304
        return answer
    }

    /// A page, which no other origin may read.
    package func answer(_ page: HTMLPage, status: Int = 200) -> RawResponse { call.answer(page, status: status) }
}

extension Call {
    /// ``AdmittedCall/answer(_:tag:kept:)`` for who was let in by something of the endpoint's own.
    package func answer(_ json: [UInt8], tag: String, kept: String = "private, no-cache") -> RawResponse {
        RawResponse(body: json, endpoint: endpoint.label).tagged(tag, for: request, kept: kept)
    }

    /// A page, which no other origin may read.
    package func answer(_ page: HTMLPage, status: Int = 200) -> RawResponse {
        page.answer(status: status, endpoint: endpoint.label)
    }
}
