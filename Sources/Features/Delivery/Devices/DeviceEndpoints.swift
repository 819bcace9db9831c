import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

/// Registers devices to be notified of changes.
enum DeviceEndpoints {
    static let all = [
        Endpoint("tokens/create", at: .device(isBelowDatabase: true), needsUser: true) {
            try register(
                $0,
                RegisterDevice(
                    creating: PushTokenRequest(json: $0.body), context: $0.context, newID: newDeviceID($0.randomSource))
            )
        },
        Endpoint("tokens/register", at: .device(isBelowDatabase: true), needsUser: true) {
            try register($0, RegisterDevice(registering: PushTokenRequest(json: $0.body), context: $0.context))
        },
    ]

    private static func register(_ call: AdmittedCall, _ operation: RegisterDevice) -> Work {
        call.commit(operation.reading, decide: operation.decide) { device in
            var json = JSONWriter()
            call.dictionary(of: device).write(to: &json)
            return json.bytes
        }
    }

    /// Random, although access is protected by the token.
    private static func newDeviceID(_ randomSource: RandomSource) -> [UInt8] {
        var randomSource = randomSource
        return (0..<DeviceRow.idBytes).map { _ in UInt8.random(in: .min ... .max, using: &randomSource) }
    }
}

extension AdmittedCall {
    fileprivate func dictionary(of device: DeviceRow) -> PushTokenDictionary {
        let environment: APNsEnvironment = device.isDevelopment ? .development : .production
        guard device.channel == .courier else {
            return PushTokenDictionary(
                apnsEnvironment: environment, apnsToken: device.address, webcourierURL: nil)
        }
        let token = CourierToken(device.key).sealed(key: context.catalog.head.signingKey)
        return PushTokenDictionary(
            apnsEnvironment: environment, apnsToken: token, webcourierURL: call.courierURL(token))
    }
}

extension Call {
    /// The time to live given in the URL, in seconds. The URL is in fact valid as long as it is used.
    private static let timeToLive = 43_200

    fileprivate func courierURL(_ token: String) -> String {
        return "\(publicURL)/device/1/\(tenant.container)/\(tenant.environment.rawValue)/\(CourierEndpoint.name)"
            + "?tok=\(PercentCoding.encode(token))&ttl=\(Self.timeToLive)"
    }
}
