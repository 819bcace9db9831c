/// How the secrets of a tenant are sealed, and what its files are addressed with (docs/decisions/0021). The rows of a file from
/// before are sealed when it is opened (``OldSecrets``); a server of before must not open it then, and this step tells it so.
let secretColumns = """
    ALTER TABLE catalog ADD COLUMN secret_key INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE catalog ADD COLUMN file_key BLOB NOT NULL DEFAULT x'';
    ALTER TABLE catalog ADD COLUMN file_place INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE catalog ADD COLUMN files_since INTEGER NOT NULL DEFAULT 0;
    """

/// Which key the secrets of a folder are sealed under, and which one they are being sealed under anew; 0 for none.
let secretNames = """
    ALTER TABLE meta ADD COLUMN secret_key INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE meta ADD COLUMN secret_next INTEGER NOT NULL DEFAULT 0;
    """
