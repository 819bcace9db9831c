/// What taking credentials back needs (docs/decisions/0016): whom a device came with, how sessions are found by their user and
/// by their end, and on which day a credential was used last. Rows that were stored before these columns came have nothing in
/// them, and checksums that leave them out.
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
