import Crypto
import Foundation
import NIOSSL

/// A self-signed certificate, created for each server.
struct TestCertificate: Sendable {
    /// The certificate, which is its own root.
    let pem: String
    private let keyPEM: String

    /// - Parameter host: Its only name; nil for localhost and 127.0.0.1.
    /// - Throws: Errors of Crypto if it cannot sign.
    init(host: String? = nil) throws {
        let key = P256.Signing.PrivateKey()
        let contents = Self.contents(key.publicKey, host)
        let signature = try key.signature(for: contents)
        let certificate = DER.sequence(contents, Self.ecdsaWithSHA256, DER.bits(Array(signature.derRepresentation)))
        pem = Self.pem(certificate)
        keyPEM = key.pemRepresentation
    }

    func serverConfiguration(speaksHTTP2: Bool) throws -> TLSConfiguration {
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: try NIOSSLCertificate.fromPEMBytes(Array(pem.utf8)).map { .certificate($0) },
            privateKey: .privateKey(try NIOSSLPrivateKey(bytes: Array(keyPEM.utf8), format: .pem)))
        configuration.applicationProtocols = speaksHTTP2 ? ["h2"] : ["http/1.1"]
        return configuration
    }

    // Object identifiers in DER.
    private static let ecdsaWithSHA256 = DER.sequence(DER.identifier([0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x03, 0x02]))
    private static let commonName = DER.identifier([0x55, 0x04, 0x03])
    private static let basicConstraints = DER.identifier([0x55, 0x1D, 0x13])
    private static let alternativeNames = DER.identifier([0x55, 0x1D, 0x11])

    /// TBSCertificate of RFC 5280 §4.1.
    private static func contents(_ key: P256.Signing.PublicKey, _ host: String?) -> [UInt8] {
        let version3 = DER.value(0xA0, DER.integer([2]))
        // The first byte keeps the number positive and of full length.
        let serial = DER.integer([1] + (0..<15).map { _ in UInt8.random(in: .min ... .max) })
        let name = DER.sequence(DER.set(DER.sequence(commonName, DER.text("stand-in"))))
        let validity = DER.sequence(DER.time("000101000000Z"), DER.time("491231235959Z"))
        let isAuthority = DER.sequence(basicConstraints, DER.yes, DER.bytes(DER.sequence(DER.yes)))
        let hostName = DER.value(0x82, Array((host ?? "localhost").utf8))
        let names = host == nil ? DER.sequence(hostName, DER.value(0x87, [127, 0, 0, 1])) : DER.sequence(hostName)
        let extensions = DER.value(
            0xA3, DER.sequence(isAuthority, DER.sequence(alternativeNames, DER.bytes(names))))
        return DER.sequence(
            version3, serial, ecdsaWithSHA256, name, validity, name, Array(key.derRepresentation), extensions)
    }

    private static func pem(_ certificate: [UInt8]) -> String {
        let base64 = Data(certificate).base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
        return "-----BEGIN CERTIFICATE-----\n\(base64)\n-----END CERTIFICATE-----\n"
    }
}
