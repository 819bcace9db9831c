import CloudKitWire
import NephosRunner
import NephosStorage

/// What another server states about a person whom it has signed in:
/// `{"subject":"4711","name":"Ada Example","emailAddress":"ada@example.org"}`.
struct ExternalClaim: Sendable, Equatable {
    static let subjectBytesMax = 255

    /// A permanent identifier on that server: an ID, not an address that may pass to somebody else.
    var subject = ""
    var name = "", email = ""

    /// - Throws: For a body that is not valid, naming the problem.
    init(_ body: ArraySlice<UInt8>) throws(WireError) {
        var json = try JSONReader(body)
        try json.readObject { json, key throws(WireError) in
            switch key {
            case "subject":
                let text = try Self.text(&json)
                guard (1...Self.subjectBytesMax).contains(text.utf8.count), Self.isOneLine(text) else {
                    throw WireError(
                        "subject must have 1 to \(Self.subjectBytesMax) bytes without control characters",
                        offset: json.offset
                    )
                }
                subject = text
            case "name":
                let text = try Self.text(&json)
                guard (try? Validation.name(text, of: "name")) != nil else {
                    throw WireError("name must have at most 255 bytes without control characters", offset: json.offset)
                }
                name = text
            case "emailAddress":
                let text = try Self.text(&json)
                guard !text.isEmpty else { break }
                do throws(EmailAddressError) { email = try EmailAddress(text).text } catch {
                    throw WireError("emailAddress must be one address, or be left out", offset: json.offset)
                }
            default:
                throw WireError("the body can contain only subject, name and emailAddress", offset: json.offset)
            }
        }
        try json.finish()
        guard !subject.isEmpty else {
            throw WireError("subject is missing: the permanent id of the person in your login system")
        }
    }

    private static func text(_ json: inout JSONReader) throws(WireError) -> String {
        String(decoding: try json.readString(), as: UTF8.self)
    }

    private static func isOneLine(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }
}
