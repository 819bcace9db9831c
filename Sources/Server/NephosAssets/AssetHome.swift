import Crypto
package import NephosStorage

/// Where the files of one tenant are kept: of one that was made once. A tenant of the same name that is made later, or in
/// another store, has another home, so that nobody who cleans up in one can touch the files of another.
package struct AssetHome: Sendable, Hashable {
    package let tenant: Tenant
    /// The same for all servers of a store, and for no other tenant.
    package let incarnation: UInt64

    package init(tenant: Tenant, incarnation: UInt64) {
        self.tenant = tenant
        self.incarnation = incarnation
    }

    /// - Parameter signingKey: The tenant's, which is made with it. It cannot be found out from the home.
    package init(of tenant: Tenant, signingKey: [UInt8]) {
        let code = HMAC<SHA256>.authenticationCode(
            for: Array("asset home".utf8), using: SymmetricKey(data: signingKey))
        self.init(tenant: tenant, incarnation: code.prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
    }
}
