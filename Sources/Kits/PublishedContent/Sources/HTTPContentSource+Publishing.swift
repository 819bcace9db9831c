import CloudKitWire
import Foundation
import KitSupport
import NephosTransport

extension HTTPContentSource {
    /// Sent in one request, which is atomic.
    public func publish(_ publication: Publication) async throws(ContentFault) {
        do throws(ContentFault) {
            _ = try await caller.post(address(of: publication.type, "publish")) { json in
                json.member("recordName", publication.item)
                switch publication.start {
                case .now: break
                case .at(let date): json.member("publishedAt", date.milliseconds)
                case .never:
                    json.key("publishedAt")
                    json.null()
                }
                if let until = publication.until { json.member("until", until.milliseconds) }
                switch publication.audience {
                case .unchanged: break
                case .everybody:
                    json.key("audience")
                    json.null()
                case .condition(let text): json.member("audience", text)
                }
            }
        } catch {
            throw error.ofPublishing(publication)
        }
    }
}

extension ContentFault {
    /// The same error, with the requirements of publishing.
    fileprivate func ofPublishing(_ publication: Publication) -> ContentFault {
        var fault = self
        switch kind {
        case .notAllowed, .notFound:
            fault.kind = .notAllowed
            fault.message =
                "\(publication.item) cannot be published by the signed-in user: "
                + "publishing requires the right to write \(publication.type.name), for example by a role (\(message))"
        default: break
        }
        return fault
    }
}
