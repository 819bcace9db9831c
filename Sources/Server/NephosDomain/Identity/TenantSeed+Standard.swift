import CloudKitWire
public import NephosStorage

/// The record type of users, present in every tenant from the start.
public let usersTypeNumber: TypeNumber = 1

extension TenantSeed {
    /// A new tenant: the three built-in roles, and the type `Users` with the grants that Apple gives it.
    ///
    /// - Parameters:
    ///   - signingKey: 32 random bytes.
    ///   - fileKey: 32 random bytes.
    ///   - isListable: Whether queries may list all records of types that a save creates.
    public static func standard(
        tenant: Tenant, signingKey: [UInt8], fileKey: [UInt8] = [], now: Milliseconds, isListable: Bool = false
    ) -> TenantSeed {
        let listing = FieldRow(
            type: FieldRow.ofNewTypes, name: "___recordID", kind: .reference, options: .queryable)
        return TenantSeed(
            head: CatalogHead(tenant: tenant, signingKey: signingKey, fileKey: fileKey, createdAt: now),
            rows: [
                .role(.world), .role(.icloud), .role(.creator),
                .type(RecordTypeRow(number: usersTypeNumber, name: "Users")),
                .field(FieldRow(type: usersTypeNumber, name: "roles", kind: .int64List)),
                .grant(GrantRow(type: usersTypeNumber, role: RoleRow.world.number, rights: .read)),
                .grant(GrantRow(type: usersTypeNumber, role: RoleRow.creator.number, rights: .write)),
            ] + (isListable ? [.field(listing)] : []))
    }
}
