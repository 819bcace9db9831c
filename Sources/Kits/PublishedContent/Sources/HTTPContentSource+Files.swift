import CloudKitWire
public import Foundation
import KitSupport
import NephosTransport

extension HTTPContentSource {
    public func download(
        _ field: String, of item: ContentItem, to file: URL, bytesMax: Int64
    ) async throws(ContentFault) {
        // URLs are valid for some minutes: cached items have none, and a queued download may have an expired one.
        if let url = item[field]?.file?.url, try await isLoaded(url, to: file, bytesMax) { return }
        guard let found = try await lookUp(item.id, [field]) else {
            throw ContentFault(.notFound, "the record \(item.id) no longer exists, or is hidden")
        }
        guard found[field]?.file?.checksum == item[field]?.file?.checksum, let url = found[field]?.file?.url else {
            throw ContentFault(.notFound, "the record \(item.id) has another file \(field) now: fetch it again")
        }
        guard try await isLoaded(url, to: file, bytesMax) else {
            throw ContentFault(.notFound, "the file \(field) of \(item.id) does not exist")
        }
    }

    /// - Returns: false if the URL has expired.
    private func isLoaded(_ url: URL, to file: URL, _ bytesMax: Int64) async throws(ContentFault) -> Bool {
        guard url.mayFollow(server) else {
            throw ContentFault(.unreadable, "the server is at https, and names a file that is not: \(url.host() ?? "")")
        }
        var request = TransportRequest(method: "GET", url: url)
        request.sink = .file(file, limit: bytesMax)
        request.timeout = 30
        let answer: TransportAnswer
        do throws(TransportFault) { answer = try await transport.send(request) } catch {
            throw ContentFault(error)
        }
        switch answer.status {
        case 200: return true
        case 401, 403, 404, 410: return false
        default: throw ContentFault(answer)
        }
    }

    /// Looks up a record by name; nil if there is none that the caller may see.
    func lookUp(_ name: String, _ fields: [String]) async throws(ContentFault) -> ContentItem? {
        let answer = try await caller.post(address("lookup")) { json in
            json.key("records")
            json.beginArray()
            json.beginObject()
            json.member("recordName", name)
            json.endObject()
            json.endArray()
            json.key("desiredKeys")
            json.beginArray()
            for field in fields { json.string(field) }
            json.endArray()
        }
        do throws(WireError) { return try ContentAnswer(json: [UInt8](answer.body), count: 1).items.first } catch {
            throw ContentFault(.unreadable, "the server's answer cannot be read: \(error)")
        }
    }
}
