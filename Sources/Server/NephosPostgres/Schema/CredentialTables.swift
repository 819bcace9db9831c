/// What is needed to revoke credentials (docs/decisions/0016): the session or token of a device, indexes of sessions by their
/// user and by their end, and the day on which a credential was last used. In rows that were stored before these columns were
/// added, they are empty, and the checksum does not cover them.
let credentialTables = """
    ALTER TABLE devices ADD COLUMN session bytea NOT NULL DEFAULT '\\x';
    ALTER TABLE devices ADD COLUMN token bytea NOT NULL DEFAULT '\\x';
    ALTER TABLE server_keys ADD COLUMN name text NOT NULL DEFAULT '';

    CREATE INDEX sessions_by_user ON sessions (tenant, user_id, expires_at, id);
    CREATE INDEX sessions_by_end ON sessions (tenant, expires_at, id);

    CREATE TABLE credential_uses (
        tenant bigint NOT NULL,
        kind bigint NOT NULL,
        id bytea NOT NULL,
        day bigint NOT NULL,
        checksum bigint NOT NULL,
        PRIMARY KEY (tenant, kind, id)
    );

    ALTER TABLE credential_uses ALTER COLUMN tenant SET (n_distinct = 1);
    """
