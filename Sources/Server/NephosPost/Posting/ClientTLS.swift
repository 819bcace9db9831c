package import NIOSSL
package import NephosRunner

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

    /// The PEM certificates in the file that a variable of the environment names; empty if the variable is not set.
    ///
    /// - Throws: ``NephosRunner/Failure`` for a file that cannot be read, or has no certificate.
    package static func roots(_ variable: String, in environment: EnvironmentVariables) throws(Failure) -> [UInt8] {
        guard let path = environment.text(variable) else { return [] }
        do {
            let pem = try OpenedFile(path).read()
            _ = try certificates(pem)
            return pem
        } catch { throw Failure("\(variable)=\(path): \(error)", kind: .wrongUsage) }
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
        "It contains no readable certificate. Expected: PEM, one or more blocks that begin with "
            + "-----BEGIN CERTIFICATE-----."
    }
}
