import NephosDelivery
package import NephosRunner

extension Feature {
    /// Deliveries that are sent over HTTP, to Apple's push service and to webhooks.
    package static let delivery: Feature = .delivery(by: { settings in
        do { return try PostOffice(settings) } catch {
            throw Failure(
                "NEPHOS_APNS_URL or NEPHOS_PUSH_ROOTS is not valid: \(error)", kind: .wrongUsage)
        }
    })
}

extension GuardedClient {
    /// A client for requests of features, with the hosts and certificates that the operator permits for webhooks.
    package convenience init(_ settings: FeatureSettings) throws {
        let roots = try settings.environment.text("NEPHOS_PUSH_ROOTS").map { try TextFile(path: $0).read() }
        try self.init(roots: roots ?? [], allowing: settings.calledHosts)
    }
}

extension PostOffice {
    /// - Throws: Why the address of the push service, or the file of certificates, is not valid.
    fileprivate convenience init(_ settings: FeatureSettings) throws {
        let host = try settings.environment.text("NEPHOS_APNS_URL").map { try APNsHost(baseURL: $0) }
        let roots = try settings.environment.text("NEPHOS_PUSH_ROOTS").map { try TextFile(path: $0).read() }
        try self.init(apnsHost: host, roots: roots ?? [], webhookHosts: settings.calledHosts)
    }
}
