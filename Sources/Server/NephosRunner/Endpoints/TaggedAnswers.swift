extension RawResponse {
    /// The same with an entity tag, or 304 without a body if the client already has that version.
    ///
    /// - Parameters:
    ///   - tag: Changes whenever the body changes; printable ASCII without quotes.
    ///   - kept: How long the response may be cached, as a value of `Cache-Control`.
    package func tagged(_ tag: String, for request: RawRequest, kept: String = "private, no-cache") -> RawResponse {
        var answer = self
        let tag = answer.add(tag, kept: kept)
        guard EntityTags(request.headers[.ifNoneMatch]).matchesWeakly(tag) else { return answer }
        (answer.status, answer.body) = (304, [])
        return answer
    }

    fileprivate mutating func add(_ tag: String, kept: String) -> String {
        // Weak, because the connection may compress the body.
        let tag = "W/\"\(tag)\""
        headers += [("ETag", tag), ("Cache-Control", kept)]
        return tag
    }
}

extension AdmittedCall {
    /// A JSON response with an entity tag: ``RawResponse/tagged(_:for:kept:)``, kept as by ``kept(_:)``.
    package func answer(_ json: [UInt8], tag: String, kept: String = "private, no-cache") -> RawResponse {
        success(json).tagged(tag, for: call.request, kept: self.kept(kept))
    }

    /// How long a response may be cached: as `kept` says, except that shared caches store nothing that is for this client alone.
    package func kept(_ kept: String) -> String {
        // A response to a person may contain their next token; and a cache would pass on links that the headers of one request chose.
        issuer == nil && !call.isReachedAsHeadersSay ? kept : "private, no-cache"
    }

    /// The response for a client that already has the version with this tag.
    package func unchanged(tag: String, kept: String = "private, no-cache") -> RawResponse {
        var answer = success([])
        _ = answer.add(tag, kept: self.kept(kept))
        answer.status = 304
        return answer
    }

    /// A page, which no other origin may read.
    package func answer(_ page: HTMLPage, status: Int = 200) -> RawResponse { call.answer(page, status: status) }
}

extension Call {
    /// ``AdmittedCall/answer(_:tag:kept:)`` for a caller who was admitted by the endpoint's own credential.
    package func answer(_ json: [UInt8], tag: String, kept: String = "private, no-cache") -> RawResponse {
        RawResponse(body: json, endpoint: endpoint.label).tagged(tag, for: request, kept: kept)
    }

    /// A page, which no other origin may read.
    package func answer(_ page: HTMLPage, status: Int = 200) -> RawResponse {
        page.answer(status: status, endpoint: endpoint.label)
    }
}
