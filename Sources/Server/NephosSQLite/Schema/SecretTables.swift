/// How the secrets of a tenant are sealed, and from which key its files are addressed (docs/decisions/0021). The rows of a
/// file of an earlier version are sealed when it is opened (``OldSecrets``); a server of an earlier version must not open it
/// then, and refuses it because of this step.
let secretColumns = """
    ALTER TABLE catalog ADD COLUMN secret_key INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE catalog ADD COLUMN file_key BLOB NOT NULL DEFAULT x'';
    ALTER TABLE catalog ADD COLUMN file_place INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE catalog ADD COLUMN files_since INTEGER NOT NULL DEFAULT 0;
    """

/// The key that the secrets of a folder are sealed under, and the one under which they are being resealed; 0 for none.
let secretNames = """
    ALTER TABLE meta ADD COLUMN secret_key INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE meta ADD COLUMN secret_next INTEGER NOT NULL DEFAULT 0;
    """
