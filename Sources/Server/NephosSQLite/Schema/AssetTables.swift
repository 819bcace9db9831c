/// Tables of files, and of the records that hold them (docs/decisions/0007). In heads that were stored before these columns
/// were added, they are 0, and the checksum does not cover them.
let assetTables = """
    CREATE TABLE assets (
        db INTEGER NOT NULL,
        address BLOB NOT NULL,
        nonce INTEGER NOT NULL,
        size INTEGER NOT NULL,
        content_type TEXT NOT NULL,
        created_at INTEGER NOT NULL,
        released_at INTEGER NOT NULL,
        checksum INTEGER NOT NULL,
        PRIMARY KEY (db, address)
    ) STRICT, WITHOUT ROWID;

    CREATE INDEX assets_released ON assets (released_at, db, address) WHERE released_at > 0;

    CREATE TABLE asset_refs (
        db INTEGER NOT NULL,
        zone_no INTEGER NOT NULL,
        record_no INTEGER NOT NULL,
        address BLOB NOT NULL,
        uses INTEGER NOT NULL,
        size INTEGER NOT NULL,
        checksum INTEGER NOT NULL,
        PRIMARY KEY (db, zone_no, record_no, address)
    ) STRICT, WITHOUT ROWID;

    CREATE INDEX asset_refs_by_address ON asset_refs (db, address);

    ALTER TABLE heads ADD COLUMN assets INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE heads ADD COLUMN asset_bytes INTEGER NOT NULL DEFAULT 0;
    """
