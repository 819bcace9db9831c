import CloudKitWire
import Foundation
import KitSupport
import NephosTransport

extension HTTPContentSource {
    /// First whom for, then when: so it is shown to nobody whom it is not for. Where the second fails the first stays.
    public func publish(_ publication: Publication) async throws(ContentFault) {
        do throws(ContentFault) {
            switch publication.audience {
            case .unchanged: break
            case .everybody: try await save(audience: nil, publication)
            case .condition(let text): try await save(audience: text, publication)
            }
            _ = try await post(address(of: publication.type, "publish")) { json in
                json.member("recordName", publication.item)
                switch publication.start {
                case .now: break
                case .at(let date): json.member("publishedAt", date.milliseconds)
                case .never:
                    json.key("publishedAt")
                    json.null()
                }
                if let until = publication.until { json.member("until", until.milliseconds) }
            }
        } catch {
            throw error.ofPublishing(publication)
        }
    }

    private func save(audience: String?, _ publication: Publication) async throws(ContentFault) {
        guard let record = try await lookUp(publication.item, []) else {
            // Who may not write a record learns nothing of one that is hidden.
            throw ContentFault(.notAllowed, "there is no such record, or it is hidden")
        }
        let answer = try await post(address("modify")) { json in
            json.key("operations")
            json.beginArray()
            json.beginObject()
            json.member("operationType", "update")
            json.key("record")
            json.beginObject()
            json.member("recordName", record.id)
            json.member("recordType", record.type)
            json.member("recordChangeTag", record.changeTag)
            json.key("fields")
            json.beginObject()
            json.key(named: Name(publication.type.audience))
            json.beginObject()
            json.key("value")
            if let audience { json.string(audience) } else { json.null() }
            json.endObject()
            for _ in 0..<3 { json.endObject() }
            json.endArray()
        }
        if let refusal = ContentFault(item: [UInt8](answer.body)) { throw refusal }
    }
}

extension ContentFault {
    /// That one record of a request was refused; nil where none was.
    fileprivate init?(item bytes: [UInt8]) {
        guard var json = try? JSONReader(bytes[...]) else { return nil }
        var words: [String: String] = [:]
        try? json.readObject { json, key throws(WireError) in
            guard case "records" = key else { return }
            try json.readArray { json, _ throws(WireError) in
                try json.readObject { json, key throws(WireError) in
                    guard try json.kind == .string else { return }
                    words[key.name.text] = String(decoding: try json.readString(), as: UTF8.self)
                }
            }
        }
        guard let code = words["serverErrorCode"] else { return nil }
        self.init(code == "ACCESS_DENIED" ? .notAllowed : .refused, words["reason"] ?? code)
    }

    /// The same, with what publishing needs.
    fileprivate func ofPublishing(_ publication: Publication) -> ContentFault {
        var fault = self
        switch kind {
        case .notAllowed, .notFound:
            fault.kind = .notAllowed
            fault.message =
                "\(publication.item) cannot be published by who is signed in: it takes somebody who may write \(publication.type.name), such as by a role (\(message))"
        default: break
        }
        return fault
    }
}
