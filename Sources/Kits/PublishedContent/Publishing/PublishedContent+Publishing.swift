public import Foundation

extension PublishedContent {
    /// Shows a record, from now or a moment on. Whom it is for stays as it is.
    ///
    /// - Parameters:
    ///   - id: The name of the record.
    ///   - start: nil for now, by the server's clock.
    ///   - until: nil for good.
    /// - Throws: ``ContentFault`` of kind `notAllowed` for who may not write the record: nothing was changed then.
    public func publish(_ id: String, at start: Date? = nil, until: Date? = nil) async throws(ContentFault) {
        try await publish(Publication(id, of: type, start: start.map { .at($0) } ?? .now, until: until))
    }

    /// Makes a draft of a record: nobody sees it but who may write it.
    public func withdraw(_ id: String) async throws(ContentFault) {
        try await publish(Publication(id, of: type, start: .never))
        keep { () throws(ContentFault) in try cache.remove([key(id)]) }
    }

    /// Shows a record as somebody has filled in a form.
    ///
    /// - Throws: `refused` for a form with ``PublishForm/problems``; nobody is asked then.
    public func publish(_ id: String, _ form: PublishForm) async throws(ContentFault) {
        try await publish(try form.publication(of: id, type))
    }

    private func publish(_ publication: Publication) async throws(ContentFault) {
        try await limited { [source] () throws(ContentFault) in try await source.publish(publication) }
    }
}
