/// How the secrets of tenants are sealed, and what their files are addressed with (docs/decisions/0021). What a database of before
/// has stays in the clear, and servers of before may go on beside this step, until its operator seals it.
let secretColumns = """
    ALTER TABLE catalog
        ADD COLUMN secret_key bigint NOT NULL DEFAULT 0,
        ADD COLUMN file_key bytea NOT NULL DEFAULT '\\x',
        ADD COLUMN file_place bigint NOT NULL DEFAULT 0,
        ADD COLUMN files_since bigint NOT NULL DEFAULT 0;

    ALTER TABLE meta
        ADD COLUMN secret_key bigint NOT NULL DEFAULT 0,
        ADD COLUMN secret_next bigint NOT NULL DEFAULT 0;
    """
