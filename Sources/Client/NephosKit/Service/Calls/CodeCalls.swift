import CloudKitWire
import Foundation
import NephosTransport

/// A code with which a person signs in to this program, as issued by a Nephos server (docs/people.md, "Programs without a page").
struct SignInCode: Sendable {
    /// The code that the program sends to fetch the token.
    var deviceCode: String
    /// The code that the person types, and the page for it.
    var userCode: String
    var page: URL
    /// How long the code is valid, and how long the program waits between two requests, in seconds.
    var lifetime, interval: Double

    init(_ json: ArraySlice<UInt8>) throws(WireError) {
        var reader = try JSONReader(json)
        var (device, user, page): (String?, String?, URL?) = (nil, nil, nil)
        var (lifetime, interval) = (600.0, 5.0)
        try reader.readMembers { reader, key throws(WireError) in
            switch key {
            case "device_code": device = try reader.readText()
            case "user_code": user = try reader.readText()
            case "verification_uri": page = URL(web: try reader.readText())
            case "expires_in": lifetime = try reader.readDouble()
            case "interval": interval = try reader.readDouble()
            default: break
            }
        }
        guard let device, let user, let page else {
            throw WireError("the answer has no code or no page to enter it on")
        }
        (deviceCode, userCode, self.page) = (device, user, page)
        (self.lifetime, self.interval) = (min(max(lifetime, 1), 86_400), min(max(interval, 1), 3_600))
    }
}

extension Service {
    private static let grantType = "urn:ietf:params:oauth:grant-type:device_code"
    /// Seconds that RFC 8628 adds to the interval of a program that polls too often.
    private static let slower = 5.0

    /// Requests a code.
    func signInCode(_ terms: Terms) async throws(CKError) -> SignInCode {
        let settings = try settings()
        guard settings.speaksNephos else {
            throw CKError(
                .serverRejectedRequest,
                "Apple's service does not support sign-in by code: call CKContainer.signIn(webAuthToken:)")
        }
        let answer = try await answer(to: form("sign-in/device-code", []), terms)
        let code = try CKError.reading { () throws(WireError) in try SignInCode(answer) }
        guard url(code.page.absoluteString) != nil else {
            throw CKError(.internalError, "the answer cannot be read: the page for the code is not at https")
        }
        return code
    }

    /// Polls until the person has accepted or denied the sign-in.
    ///
    /// - Returns: The web auth token of their session.
    /// - Throws: `permissionFailure` if the person denied it; `notAuthenticated` if the code was not entered in time, or somebody has
    ///   signed in or out meanwhile.
    func webAuthToken(for code: SignInCode, _ terms: Terms) async throws(CKError) -> String {
        var (interval, waited) = (code.interval, 0.0)
        while waited + interval < code.lifetime {
            try await wait(interval)
            waited += interval
            do throws(CKError) {
                let request = try form(
                    "sign-in/token", [("grant_type", Self.grantType), ("device_code", code.deviceCode)])
                let answer = try await answer(to: request, terms)
                return try CKError.reading { () throws(WireError) in try Self.token(answer) }
            } catch {
                if error.code == .requestRateLimited { interval += Self.slower }
                // The code was not entered yet, or the network is temporarily unavailable.
                guard error.mayPass else { throw error }
            }
        }
        throw CKError(.notAuthenticated, "the code was not entered in time: sign in again with a new code")
    }

    private static func token(_ json: ArraySlice<UInt8>) throws(WireError) -> String {
        var (reader, token) = (try JSONReader(json), String?.none)
        try reader.readMembers { reader, key throws(WireError) in
            if case "access_token" = key { token = try reader.readText() }
        }
        guard let token, !token.isEmpty else { throw WireError("the answer has no access_token") }
        return token
    }

    /// A form that is sent for the app, regardless of who is signed in.
    private func form(_ path: String, _ fields: [(String, String)]) throws(CKError) -> Request {
        guard let client = try settings().apiToken else {
            throw CKError(
                .missingEntitlement, "no API token is set: set NEPHOS_API_TOKEN, or apiToken in nephos.json")
        }
        let body = (fields + [("client_id", client)]).map { "\($0)=\(PercentCoding.encode($1))" }.joined(separator: "&")
        var request = Request(path, nil, Array(body.utf8))
        request.isForm = true
        return request
    }
}
