/// Tables of files, and of the records that hold them (docs/decisions/0007). In heads that were stored before these columns
/// were added, they are 0, and the checksum does not cover them.
let assetTables = """
    CREATE TABLE assets (
        db bigint NOT NULL,
        address bytea NOT NULL,
        nonce bigint NOT NULL,
        size bigint NOT NULL,
        content_type text NOT NULL,
        created_at bigint NOT NULL,
        released_at bigint NOT NULL,
        checksum bigint NOT NULL,
        PRIMARY KEY (db, address)
    );

    CREATE INDEX assets_released ON assets ((db >> 40), released_at, db, address) WHERE released_at > 0;

    CREATE TABLE asset_refs (
        db bigint NOT NULL,
        zone_no bigint NOT NULL,
        record_no bigint NOT NULL,
        address bytea NOT NULL,
        uses bigint NOT NULL,
        size bigint NOT NULL,
        checksum bigint NOT NULL,
        PRIMARY KEY (db, zone_no, record_no, address)
    );

    CREATE INDEX asset_refs_by_address ON asset_refs (db, address);

    ALTER TABLE assets ALTER COLUMN db SET (n_distinct = 1);
    ALTER TABLE asset_refs ALTER COLUMN db SET (n_distinct = 1);
    ALTER TABLE heads ADD COLUMN assets bigint NOT NULL DEFAULT 0;
    ALTER TABLE heads ADD COLUMN asset_bytes bigint NOT NULL DEFAULT 0;

    INSERT INTO assets SELECT d, convert_to('address ' || s, 'UTF8'), s, s, '', s, 0, s
        FROM generate_series(1, 10) AS d, generate_series(1, 100) AS s;

    INSERT INTO asset_refs SELECT d, 1, s, convert_to('address ' || s, 'UTF8'), 1, s, s
        FROM generate_series(1, 10) AS d, generate_series(1, 100) AS s;

    ANALYZE assets;

    ANALYZE asset_refs;

    TRUNCATE assets;

    TRUNCATE asset_refs;
    """
