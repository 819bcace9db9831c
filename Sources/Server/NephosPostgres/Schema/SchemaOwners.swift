import NephosStorage

/// Whether everything in our schema belongs to roles that may do what this server may.
///
/// A role that can only connect to the database may have created the schema, or functions, operators and tables in it, before us: they
/// would run with our rights, or pass data on.
enum SchemaOwners {
    /// Reads only PostgreSQL's own tables.
    ///
    /// - Throws: ``StorageError/failed(_:)``, which names the object and its owner.
    static func check(_ transaction: Transaction, _ schema: String) throws(StorageError) {
        guard let row = try transaction.run(foreign, schema).first else { return }
        let (object, role, own, isPermission) = (row.string(0), row.string(1), row.string(2), row.bool(3))
        throw .failed(
            isPermission
                ? """
                the role '\(role)' may create objects in the schema '\(schema)', which would run with the rights of this server: \
                REVOKE CREATE ON SCHEMA \(schema) FROM \(role)
                """
                : """
                \(object) in the schema '\(schema)' belongs to the role '\(role)', which could use it to read and change data. It must \
                belong to '\(own)', to a role of which '\(own)' is a member, or to a superuser: remove it, or change its owner
                """)
    }

    /// Members of a role can do what the role can, and superusers can do anything anyway. `pg_has_role` is not used: it considers a
    /// superuser a member of all roles.
    private static let foreign = Statement(
        """
        WITH RECURSIVE own (role) AS (
            SELECT r.oid FROM pg_roles AS r WHERE r.rolname = current_user
            UNION SELECT m.roleid FROM pg_auth_members AS m JOIN own ON m.member = own.role
        ), space AS (SELECT oid, nspowner, nspacl FROM pg_namespace WHERE nspname = $1),
        object (label, owner, is_permission) AS (
            SELECT 'a permission', g.grantee, true
                FROM space, aclexplode(nspacl) AS g WHERE g.privilege_type = 'CREATE'
            UNION ALL SELECT 'the collation ' || collname, collowner, false
                FROM pg_collation JOIN space ON collnamespace = space.oid
            UNION ALL SELECT 'the conversion ' || conname, conowner, false
                FROM pg_conversion JOIN space ON connamespace = space.oid
            UNION ALL SELECT 'the function ' || proname, proowner, false
                FROM pg_proc JOIN space ON pronamespace = space.oid
            UNION ALL SELECT 'the function of the trigger ' || t.tgname, p.proowner, false
                FROM pg_trigger AS t JOIN pg_class AS c ON c.oid = t.tgrelid JOIN space ON c.relnamespace = space.oid
                JOIN pg_proc AS p ON p.oid = t.tgfoid
            UNION ALL SELECT 'the operator ' || oprname, oprowner, false
                FROM pg_operator JOIN space ON oprnamespace = space.oid
            UNION ALL SELECT 'the operator class ' || opcname, opcowner, false
                FROM pg_opclass JOIN space ON opcnamespace = space.oid
            UNION ALL SELECT 'the operator family ' || opfname, opfowner, false
                FROM pg_opfamily JOIN space ON opfnamespace = space.oid
            UNION ALL SELECT 'the schema itself', nspowner, false FROM space
            UNION ALL SELECT 'the table or index ' || relname, relowner, false
                FROM pg_class JOIN space ON relnamespace = space.oid
            UNION ALL SELECT 'the type ' || typname, typowner, false
                FROM pg_type JOIN space ON typnamespace = space.oid WHERE typcategory <> 'A'
        )
        SELECT label::text, CASE owner WHEN 0 THEN 'PUBLIC' ELSE pg_get_userbyid(owner)::text END, current_user::text, is_permission
        FROM object
        WHERE owner NOT IN (SELECT role FROM own) AND owner NOT IN (SELECT oid FROM pg_roles WHERE rolsuper)
        ORDER BY is_permission, label LIMIT 1
        """)
}
