public import Foundation

extension PublishedContent {
    /// Publishes a record, now or at a given time. Its audience is not changed.
    ///
    /// - Parameters:
    ///   - id: The name of the record.
    ///   - start: nil for now, by the server's clock.
    ///   - until: nil for no end.
    /// - Throws: ``ContentFault`` of kind `notAllowed` if the caller may not write the record; nothing was changed then.
    public func publish(_ id: String, at start: Date? = nil, until: Date? = nil) async throws(ContentFault) {
        try await publish(Publication(id, of: type, start: start.map { .at($0) } ?? .now, until: until))
    }

    /// Turns a record into a draft, which is visible only to those who may write it.
    public func withdraw(_ id: String) async throws(ContentFault) {
        try await publish(Publication(id, of: type, start: .never))
        keep { () throws(ContentFault) in try cache.remove([key(id)]) }
    }

    /// Publishes a record as filled in on a form.
    ///
    /// - Throws: `refused` for a form with ``PublishForm/problems``; no request is sent then.
    public func publish(_ id: String, _ form: PublishForm) async throws(ContentFault) {
        try await publish(try form.publication(of: id, type))
    }

    private func publish(_ publication: Publication) async throws(ContentFault) {
        try await limited { [source] () throws(ContentFault) in try await source.publish(publication) }
    }
}
