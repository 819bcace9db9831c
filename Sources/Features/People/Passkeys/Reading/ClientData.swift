import CloudKitWire

/// What a browser states about the page on which a passkey was created or used (WebAuthn, "Client Data"): JSON, which the passkey
/// signs.
struct ClientData: Sendable, Equatable {
    enum Kind: String, Sendable {
        case make = "webauthn.create"
        case use = "webauthn.get"
    }

    static let bytesMax = 4_096

    let kind: Kind
    /// As passed by the page, in base64url.
    let challenge: String
    /// As written by the browser.
    let origin: String
    /// Whether it was requested in a frame of a page of another origin.
    let isCrossOrigin: Bool

    /// - Throws: ``PasskeyProblem/unreadable`` if it is not in the form that browsers write.
    init(_ bytes: ArraySlice<UInt8>) throws(PasskeyProblem) {
        guard bytes.count <= Self.bytesMax, let said = try? Self.parse(bytes), let kind = said.kind,
            let challenge = said.challenge, let origin = said.origin
        else { throw .unreadable }
        (self.kind, self.challenge, self.origin) = (kind, challenge, origin)
        isCrossOrigin = said.isCrossOrigin
    }

    private static func parse(
        _ bytes: ArraySlice<UInt8>
    ) throws(WireError) -> (kind: Kind?, challenge: String?, origin: String?, isCrossOrigin: Bool) {
        var (kind, challenge, origin, isCrossOrigin) = (Kind?.none, String?.none, String?.none, false)
        var reader = try JSONReader(bytes)
        try reader.readObject { reader, key throws(WireError) in
            switch key {
            case "type": kind = Kind(rawValue: try text(&reader))
            case "challenge": challenge = try text(&reader)
            case "origin": origin = try text(&reader)
            case "crossOrigin": isCrossOrigin = try reader.readBool()
            // Later versions may add members; framing is covered by the flag.
            default: break
            }
        }
        try reader.finish()
        return (kind, challenge, origin, isCrossOrigin)
    }

    private static func text(_ reader: inout JSONReader) throws(WireError) -> String {
        String(decoding: try reader.readString(), as: UTF8.self)
    }
}
