import NephosDelivery
package import NephosRunner

extension Feature {
    /// Deliveries that are sent over HTTP, to Apple's push service and to webhooks.
    package static let delivery: Feature = .delivery(by: { settings in
        do { return try PostOffice(settings) } catch let failure as Failure { throw failure } catch {
            throw Failure("NEPHOS_APNS_URL is not valid: \(error)", kind: .wrongUsage)
        }
    })
}

extension GuardedClient {
    /// A client for requests of features, with the hosts and certificates that the operator permits for webhooks.
    package convenience init(_ settings: FeatureSettings) throws {
        let roots = try ClientTLS.roots("NEPHOS_PUSH_ROOTS", in: settings.environment)
        try self.init(roots: roots, allowing: settings.calledHosts)
    }
}

extension PostOffice {
    /// - Throws: Why the address of the push service is not valid; ``NephosRunner/Failure`` for the file of certificates.
    fileprivate convenience init(_ settings: FeatureSettings) throws {
        let host = try settings.environment.text("NEPHOS_APNS_URL").map { try APNsHost(baseURL: $0) }
        let roots = try ClientTLS.roots("NEPHOS_PUSH_ROOTS", in: settings.environment)
        try self.init(apnsHost: host, roots: roots, webhookHosts: settings.calledHosts)
    }
}
