import NephosStorage

/// Whether everything in our schema belongs to roles that may do what this server may.
///
/// A role that can only connect to the database may have created the schema, or functions, operators and tables in it, before us: they
/// would run with our rights, or pass data on.
enum SchemaOwners {
    /// Reads only PostgreSQL's own tables, and calls nothing else. Afterwards names in the transaction mean what is in the schema, as in
    /// the rest of its session.
    ///
    /// - Throws: ``StorageError/failed(_:)``, which names the object and its owner.
    static func check(_ transaction: Transaction, _ schema: String) throws(StorageError) {
        transaction.later(systemNamesOnly)
        let row = try transaction.run(foreign, schema).first
        transaction.later(Statement(#"SET LOCAL search_path = "\#(schema)", pg_temp"#))
        guard let row else { return }
        let (object, role, own, privilege, grantee) = (
            row.string(0), row.string(1), row.string(2), row.string(3), row.string(4)
        )
        guard privilege.isEmpty else {
            throw .failed(
                """
                the role '\(role)' may create \(privilege.hasPrefix("TRIGGER") ? "triggers" : "objects") in the schema '\(schema)', \
                which would run with the rights of this server: REVOKE \(privilege) FROM \(grantee)
                """)
        }
        throw .failed(
            """
            \(object) in the schema '\(schema)' belongs to the role '\(role)', which could use it to read and change data. It must \
            belong to '\(own)', to a superuser, or to the owner of the schema if '\(own)' is its member: remove it, or change its \
            owner
            """)
    }

    /// Until the owners are known, or the transaction ends, names mean what PostgreSQL defines: an operator in our schema would be
    /// called instead if it fits the operands better.
    static let systemNamesOnly = Statement("SET LOCAL search_path = pg_catalog, pg_temp")

    /// What has an owner in a schema: what it is called, its catalog, and the prefix of the catalog's columns.
    private static let owned = [
        ("collation", "pg_collation", "coll"),
        ("conversion", "pg_conversion", "con"),
        ("dictionary", "pg_ts_dict", "dict"),
        ("function", "pg_proc", "pro"),
        ("operator", "pg_operator", "opr"),
        ("operator class", "pg_opclass", "opc"),
        ("operator family", "pg_opfamily", "opf"),
        ("statistics", "pg_statistic_ext", "stx"),
        ("table or index", "pg_class", "rel"),
        ("text search configuration", "pg_ts_config", "cfg"),
        // Without those of arrays, which come with their elements' types.
        (
            "type",
            """
            (SELECT * FROM pg_type AS t
                WHERE NOT EXISTS (SELECT FROM pg_type AS e WHERE e.oid = t.typelem AND e.typarray = t.oid))
            """, "typ"
        ),
    ]

    private static let ownedObjects = owned.map { label, catalog, prefix in
        """
        UNION ALL SELECT 'the \(label) '::text || o.\(prefix)name::text, o.\(prefix)owner, ''::text
            FROM \(catalog) AS o JOIN space ON o.\(prefix)namespace = space.oid
        """
    }.joined(separator: "\n")

    /// The owner of the schema is trusted if our role can do what it can: whoever administers us has made us its member for that. Other
    /// groups are not, since a role may be made a member of one that can do less. A superuser counts as a member of all roles, which
    /// means nothing.
    private static let foreign = Statement(
        """
        WITH space AS (SELECT oid, nspname, nspowner, nspacl FROM pg_namespace WHERE nspname = $1),
        trusted (role) AS (
            SELECT oid FROM pg_roles WHERE rolsuper OR rolname = current_user
            UNION ALL SELECT s.nspowner FROM space AS s JOIN pg_roles AS me ON me.rolname = current_user
                WHERE NOT me.rolsuper AND pg_has_role(me.oid, s.nspowner, 'USAGE'::text)
        ),
        object (label, owner, privilege) AS (
            SELECT 'a permission'::text, g.grantee, 'CREATE ON SCHEMA '::text || quote_ident(nspname::text)
                FROM space, aclexplode(nspacl) AS g WHERE g.privilege_type = 'CREATE'::text
            UNION ALL SELECT 'a permission'::text, g.grantee,
                'TRIGGER ON '::text || quote_ident(space.nspname::text) || '.'::text || quote_ident(c.relname::text)
                FROM pg_class AS c JOIN space ON c.relnamespace = space.oid, aclexplode(c.relacl) AS g
                WHERE g.privilege_type = 'TRIGGER'::text
            UNION ALL SELECT 'the function of the trigger '::text || t.tgname::text, p.proowner, ''::text
                FROM pg_trigger AS t JOIN pg_class AS c ON c.oid = t.tgrelid JOIN space ON c.relnamespace = space.oid
                JOIN pg_proc AS p ON p.oid = t.tgfoid
            UNION ALL SELECT 'the schema itself'::text, nspowner, ''::text FROM space
            \(ownedObjects)
        )
        SELECT label, CASE owner WHEN 0::oid THEN 'PUBLIC'::text ELSE pg_get_userbyid(owner)::text END, current_user::text, privilege,
            CASE owner WHEN 0::oid THEN 'PUBLIC'::text ELSE quote_ident(pg_get_userbyid(owner)::text) END
        FROM object WHERE owner NOT IN (SELECT role FROM trusted)
        ORDER BY length(privilege), label COLLATE "C" LIMIT 1
        """)
}
