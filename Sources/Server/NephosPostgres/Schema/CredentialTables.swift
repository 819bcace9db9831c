/// What taking credentials back needs (docs/decisions/0016): whom a device came with, how sessions are found by their user and
/// by their end, and on which day a credential was used last. Rows that were stored before these columns came have nothing in
/// them, and checksums that leave them out.
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
