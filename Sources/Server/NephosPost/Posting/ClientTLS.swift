package import NIOSSL

/// TLS settings of this server as a client, for any protocol: the certificate must be issued by an authority that this machine
/// trusts.
package enum ClientTLS {
    /// - Parameter roots: PEM certificates that are trusted in addition to the system's; empty for none.
    /// - Throws: ``InvalidRoots``.
    package static func configuration(roots: [UInt8]) throws(InvalidRoots) -> TLSConfiguration {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion = .tlsv12
        if !roots.isEmpty { configuration.additionalTrustRoots = [.certificates(try certificates(roots))] }
        return configuration
    }

    private static func certificates(_ pem: [UInt8]) throws(InvalidRoots) -> [NIOSSLCertificate] {
        let found: [NIOSSLCertificate]
        do { found = try NIOSSLCertificate.fromPEMBytes(pem) } catch { throw InvalidRoots() }
        guard !found.isEmpty else { throw InvalidRoots() }
        return found
    }
}

/// Trust roots without a readable certificate.
package struct InvalidRoots: Error, Equatable, CustomStringConvertible {
    package var description: String {
        "These trust roots contain no readable certificate. Expected: PEM, one or more blocks that begin with "
            + "-----BEGIN CERTIFICATE-----."
    }
}
