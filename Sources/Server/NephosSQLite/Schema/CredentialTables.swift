/// What is needed to revoke credentials (docs/decisions/0016): the session or token of a device, indexes of sessions by their
/// user and by their end, and the day on which a credential was last used. In rows that were stored before these columns were
/// added, they are empty, and the checksum does not cover them.
let credentialTables = """
    ALTER TABLE devices ADD COLUMN session BLOB NOT NULL DEFAULT x'';
    ALTER TABLE devices ADD COLUMN token BLOB NOT NULL DEFAULT x'';
    ALTER TABLE server_keys ADD COLUMN name TEXT NOT NULL DEFAULT '';

    CREATE INDEX sessions_by_user ON sessions (user_id, expires_at);
    CREATE INDEX sessions_by_end ON sessions (expires_at);

    CREATE TABLE credential_uses (
        kind INTEGER NOT NULL,
        id BLOB NOT NULL,
        day INTEGER NOT NULL,
        checksum INTEGER NOT NULL,
        PRIMARY KEY (kind, id)
    ) STRICT, WITHOUT ROWID;
    """
