/// How the secrets of tenants are sealed, and from which key their files are addressed (docs/decisions/0021). An existing
/// database stays in the clear, and servers of earlier versions may continue to run with this step, until its operator seals it.
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
