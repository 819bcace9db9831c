/// Which of Apple's two push services a device belongs to; independent of the container's environment.
public enum APNsEnvironment: String, Sendable, CaseIterable { case development, production }

/// The body of `tokens/create` and `tokens/register`.
public struct PushTokenRequest: Sendable {
    public var apnsEnvironment: APNsEnvironment
    /// For `tokens/register`: the existing token of a device.
    public var apnsToken: Name?
    /// The device is not notified of changes made with the same `clientId`.
    public var clientID: Name?

    public static let clientIDBytesMax = 255

    /// Whether a client ID is valid, in a body and in a URL.
    public static func isClientID(_ name: Name) -> Bool {
        name.bytes.count <= clientIDBytesMax && !name.hasControlCharacters
    }

    public init(json: ArraySlice<UInt8>, limits: RequestLimits = .standard) throws(WireError) {
        var environment: APNsEnvironment?
        var token: Name?
        var client: Name?
        try JSONReader.readRequest(json, limits) { reader, key throws(WireError) in
            switch key {
            case "apnsEnvironment":
                let start = reader.offset
                let text = try reader.readString()
                guard let known = APNsEnvironment(rawValue: String(decoding: text, as: UTF8.self)) else {
                    throw WireError(
                        "apnsEnvironment cannot be '\(WireError.excerpt(text))': use development or production",
                        offset: start)
                }
                environment = known
            case "apnsToken": token = try reader.readName()
            case "clientId": client = try reader.readName()
            default: break
            }
        }
        guard let environment else { throw WireError.missing("apnsEnvironment") }
        apnsEnvironment = environment
        apnsToken = token
        clientID = client
    }
}

/// The response to both: where the device is notified of changes.
public struct PushTokenDictionary: Sendable {
    public var apnsEnvironment: APNsEnvironment
    public var apnsToken: String
    /// The URL where it polls for notifications; nil for a device that receives pushes.
    public var webcourierURL: String?

    public init(apnsEnvironment: APNsEnvironment, apnsToken: String, webcourierURL: String?) {
        self.apnsEnvironment = apnsEnvironment
        self.apnsToken = apnsToken
        self.webcourierURL = webcourierURL
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("apnsEnvironment", apnsEnvironment.rawValue)
        writer.member("apnsToken", apnsToken)
        if let webcourierURL { writer.member("webcourierURL", webcourierURL) }
        writer.endObject()
    }
}
