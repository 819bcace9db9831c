package import NephosStorage

/// Where the files of one incarnation of a tenant are stored. A tenant of the same name that is created later, or in another
/// store, has another home, so that cleaning up one cannot affect the files of another.
package struct AssetHome: Sendable, Hashable {
    package let tenant: Tenant
    /// The same for all servers of a store, and for no other tenant.
    package let incarnation: UInt64

    package init(tenant: Tenant, incarnation: UInt64) {
        self.tenant = tenant
        self.incarnation = incarnation
    }

    package init(_ head: CatalogHead) {
        self.init(tenant: head.tenant, incarnation: UInt64(bitPattern: head.filePlace))
    }
}
