import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

/// Where a response ended: `after` in it. The raw value is stored.
///
/// That may be a record that the caller may not have, and a round contains numbers of records. So only the server can read a marker
/// or make one, and it is valid only for the caller who got it. Equal positions have equal markers, since
/// tags are made from them.
enum ContentMarker: Int64 {
    case list = 1
    case pick = 2

    /// The maximum bytes of its text.
    static let textMax = 8_192

    /// - Throws: ``Refusal/failed``.
    fileprivate func text(_ position: [UInt8], _ request: ContentCall) throws(Refusal) -> String {
        var content = NumberWriter(head(request))
        content.counted(position)
        let key = request.call.context.catalog.head.signingKey
        return try SealedToken.encryptInURL(content.bytes, for: .contentPage, key: key)
    }

    /// - Returns: nil for any text that ``text(_:_:)`` did not return for this kind of request, type and caller.
    fileprivate func position(_ text: String, _ request: ContentCall) -> [UInt8]? {
        let key = request.call.context.catalog.head.signingKey
        let content: [UInt8]
        do throws(Refusal) {
            content = try SealedToken.decrypt(inURL: text, for: .contentPage, key: key)
        } catch {
            return nil
        }
        let head = head(request)
        guard content.starts(with: head) else { return nil }
        var reader = NumberReader(content, from: head.count)
        return reader.counted().map { Array($0) }
    }

    private func head(_ request: ContentCall) -> [UInt8] {
        var head = NumberWriter()
        head.number(rawValue)
        head.number(Int64(request.type.row.number))
        let user = request.call.context.caller.user
        head.number(user == nil ? 0 : 1)
        if let user {
            head.number(Int64(bitPattern: user.high))
            head.number(Int64(bitPattern: user.low))
        }
        return head.bytes
    }
}

extension ContentCall {
    /// The marker of a position.
    func after(_ position: [UInt8], _ marker: ContentMarker) throws(Refusal) -> String {
        try marker.text(position, self)
    }

    /// The position at which the request continues; nil to begin.
    ///
    /// - Parameter read: Returns nil for bytes that are not a position.
    func start<Position>(_ marker: ContentMarker, _ read: ([UInt8]) -> Position?) throws(Refusal) -> Position? {
        guard let text = question.after else { return nil }
        guard let position = marker.position(text, self).flatMap(read) else {
            throw .badRequest("after must come from a response of this endpoint to the same caller; omit it to begin")
        }
        return position
    }
}
