import NephosStorage

/// The tables of a tenant's file. Migrations are only ever appended; a released one never changes.
///
/// `WITHOUT ROWID` stores rows in the order of their key, so that all rows of one database, one person's data, are stored
/// together even if the writes of many people were mixed. `records` achieves the same by an integer (``RowKey``). Large and
/// rarely read columns are last, so that reading the columns before them does not touch their overflow pages.
extension Migrations {
    /// - Parameter tables: Tables that no step below creates are created from their descriptions.
    static func tenant(_ tables: TableSet) -> Migrations {
        Migrations(
            name: "tenant",
            steps: released
                + tables.added.flatMap { $0.table.steps }.map {
                    Migration(identifier: $0.name, sql: TableSQL.createStatements($0))
                })
    }

    static let released = [
        Migration(identifier: "1 catalog", sql: catalogTables),
        Migration(identifier: "1 databases", sql: databaseTables),
        Migration(identifier: "1 records", sql: recordTables),
        Migration(identifier: "2 indexes", sql: indexTables),
        Migration(identifier: "2 trash", sql: trashTables),
        Migration(identifier: "2 catalog", sql: catalogColumns),
        Migration(identifier: "3 subscriptions", sql: subscriptionTables),
        Migration(identifier: "3 deliveries", sql: deliveryTables),
        Migration(identifier: "4 assets", sql: assetTables),
        Migration(identifier: "5 client tokens", sql: clientTokenColumn),
        Migration(identifier: "6 record keys", sql: recordKeys),
        Migration(identifier: "7 credentials", sql: credentialTables),
        Migration(identifier: "8 secrets", sql: secretColumns),
        Migration(identifier: "8 digests", sql: "ALTER TABLE heads ADD COLUMN rows_digest INTEGER NOT NULL DEFAULT 0"),
        Migration(identifier: "9 annex", sql: annexColumns),
        Migration(identifier: "10 session ends", sql: sessionColumns),
        Migration(identifier: "11 sharing", sql: sharingColumns),
    ]
}

private let catalogTables = """
    CREATE TABLE catalog (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        version INTEGER NOT NULL,
        container TEXT NOT NULL,
        environment TEXT NOT NULL,
        lanes INTEGER NOT NULL,
        last_db INTEGER NOT NULL,
        signing_key BLOB NOT NULL,
        created_at INTEGER NOT NULL,
        deleted_at INTEGER NOT NULL,
        digest INTEGER NOT NULL,
        checksum INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE types (
        type INTEGER PRIMARY KEY,
        name TEXT NOT NULL UNIQUE,
        epoch INTEGER NOT NULL,
        checksum INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE fields (
        type INTEGER NOT NULL,
        name TEXT NOT NULL,
        kind INTEGER NOT NULL,
        encrypted INTEGER NOT NULL,
        options INTEGER NOT NULL,
        checksum INTEGER NOT NULL,
        PRIMARY KEY (type, name)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE roles (
        role INTEGER PRIMARY KEY,
        name TEXT NOT NULL UNIQUE,
        checksum INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE grants (
        type INTEGER NOT NULL,
        role INTEGER NOT NULL,
        rights INTEGER NOT NULL,
        checksum INTEGER NOT NULL,
        PRIMARY KEY (type, role)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE api_tokens (
        hash BLOB PRIMARY KEY NOT NULL,
        name TEXT NOT NULL,
        created_at INTEGER NOT NULL,
        revoked_at INTEGER NOT NULL,
        checksum INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE server_keys (
        id TEXT PRIMARY KEY NOT NULL,
        public_key BLOB NOT NULL,
        user_id BLOB NOT NULL,
        created_at INTEGER NOT NULL,
        revoked_at INTEGER NOT NULL,
        checksum INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE sessions (
        id BLOB PRIMARY KEY NOT NULL,
        user_id BLOB NOT NULL,
        private_db INTEGER NOT NULL,
        secret BLOB NOT NULL,
        created_at INTEGER NOT NULL,
        expires_at INTEGER NOT NULL,
        revoked_at INTEGER NOT NULL,
        checksum INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE users (
        id BLOB PRIMARY KEY NOT NULL,
        source INTEGER NOT NULL,
        source_id TEXT NOT NULL,
        private_db INTEGER NOT NULL,
        created_at INTEGER NOT NULL,
        checksum INTEGER NOT NULL,
        UNIQUE (source, source_id)
    ) STRICT, WITHOUT ROWID;
    """

private let databaseTables = """
    CREATE TABLE heads (
        db INTEGER PRIMARY KEY,
        kind INTEGER NOT NULL,
        owner BLOB,
        seq INTEGER NOT NULL,
        last_record_no INTEGER NOT NULL,
        last_zone_no INTEGER NOT NULL,
        last_time INTEGER NOT NULL,
        purged_seq INTEGER NOT NULL,
        watchers INTEGER NOT NULL,
        records INTEGER NOT NULL,
        record_bytes INTEGER NOT NULL,
        tombstones INTEGER NOT NULL,
        refs INTEGER NOT NULL,
        events INTEGER NOT NULL,
        zones INTEGER NOT NULL,
        live_zones INTEGER NOT NULL,
        cascades INTEGER NOT NULL,
        checksum INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE zones (
        db INTEGER NOT NULL,
        zone_no INTEGER NOT NULL,
        name TEXT NOT NULL,
        state INTEGER NOT NULL,
        created_seq INTEGER NOT NULL,
        changed_seq INTEGER NOT NULL,
        purged_seq INTEGER NOT NULL,
        created_at INTEGER NOT NULL,
        deleted_at INTEGER NOT NULL,
        checksum INTEGER NOT NULL,
        PRIMARY KEY (db, zone_no)
    ) STRICT, WITHOUT ROWID;

    CREATE UNIQUE INDEX zones_live ON zones (db, name) WHERE state = 0;
    CREATE INDEX zones_by_change ON zones (db, changed_seq);
    CREATE INDEX zones_dead ON zones (db, zone_no) WHERE state = 1;
    CREATE INDEX zones_swept ON zones (deleted_at, db, zone_no) WHERE state = 2;

    CREATE TABLE events (
        db INTEGER NOT NULL,
        seq INTEGER NOT NULL,
        zone_no INTEGER NOT NULL,
        kind INTEGER NOT NULL,
        name TEXT NOT NULL,
        client TEXT NOT NULL,
        checksum INTEGER NOT NULL,
        old_fields TEXT,
        new_fields TEXT,
        PRIMARY KEY (db, seq, zone_no, kind, name)
    ) STRICT, WITHOUT ROWID;
    """

/// The columns of a record in the tables of released steps. Later steps must not change this: the text of released steps never changes.
let recordColumns = """
        record_no INTEGER NOT NULL,
        zone_no INTEGER NOT NULL,
        name TEXT NOT NULL,
        seq INTEGER NOT NULL,
        tag_seq INTEGER NOT NULL,
        type INTEGER NOT NULL,
        created_at INTEGER NOT NULL,
        created_by BLOB NOT NULL,
        modified_at INTEGER NOT NULL,
        modified_by BLOB NOT NULL,
        parent TEXT,
        share_root INTEGER,
        flags INTEGER NOT NULL,
        fields_epoch INTEGER NOT NULL,
        ref_count INTEGER NOT NULL,
        size INTEGER NOT NULL,
    """

private let recordTables = """
    CREATE TABLE records (
        db INTEGER NOT NULL,
    \(recordColumns)
        checksum INTEGER NOT NULL,
        fields TEXT NOT NULL,
        PRIMARY KEY (db, record_no)
    ) STRICT, WITHOUT ROWID;

    CREATE UNIQUE INDEX records_by_name ON records (db, zone_no, name);
    CREATE UNIQUE INDEX records_by_seq ON records (db, zone_no, seq);

    CREATE TABLE tombstones (
        db INTEGER NOT NULL,
        zone_no INTEGER NOT NULL,
        seq INTEGER NOT NULL,
        name TEXT NOT NULL,
        type INTEGER NOT NULL,
        deleted_at INTEGER NOT NULL,
        checksum INTEGER NOT NULL,
        PRIMARY KEY (db, zone_no, seq)
    ) STRICT, WITHOUT ROWID;

    CREATE UNIQUE INDEX tombstones_by_name ON tombstones (db, zone_no, name);
    CREATE INDEX tombstones_by_time ON tombstones (deleted_at);

    CREATE TABLE refs (
        db INTEGER NOT NULL,
        zone_no INTEGER NOT NULL,
        target TEXT NOT NULL,
        kind INTEGER NOT NULL,
        record_no INTEGER NOT NULL,
        checksum INTEGER NOT NULL,
        PRIMARY KEY (db, zone_no, target, kind, record_no)
    ) STRICT, WITHOUT ROWID;

    CREATE INDEX refs_by_record ON refs (db, record_no);

    CREATE TABLE cascades (
        db INTEGER NOT NULL,
        zone_no INTEGER NOT NULL,
        target TEXT NOT NULL,
        seq INTEGER NOT NULL,
        checksum INTEGER NOT NULL,
        PRIMARY KEY (db, zone_no, target)
    ) STRICT, WITHOUT ROWID;
    """

/// In rows that were stored before these columns were added, they are 0, and the checksum does not cover them.
private let indexTables = """
    CREATE TABLE index_rows (
        db INTEGER NOT NULL,
        zone_no INTEGER NOT NULL,
        index_no INTEGER NOT NULL,
        key BLOB NOT NULL,
        record_no INTEGER NOT NULL,
        PRIMARY KEY (db, zone_no, index_no, key, record_no)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE indexes (
        db INTEGER NOT NULL,
        index_no INTEGER NOT NULL,
        type INTEGER NOT NULL,
        state INTEGER NOT NULL,
        built_to INTEGER NOT NULL,
        created_at INTEGER NOT NULL,
        used_at INTEGER NOT NULL,
        checksum INTEGER NOT NULL,
        shape BLOB NOT NULL,
        PRIMARY KEY (db, index_no)
    ) STRICT, WITHOUT ROWID;

    CREATE INDEX indexes_unfinished ON indexes (state, db, index_no) WHERE state <> 1;

    ALTER TABLE heads ADD COLUMN index_version INTEGER NOT NULL DEFAULT 0;
    """

private let trashTables = """
    CREATE TABLE trash (
        db INTEGER NOT NULL,
    \(recordColumns)
        deleted_at INTEGER NOT NULL,
        deleted_by BLOB,
        checksum INTEGER NOT NULL,
        fields TEXT NOT NULL,
        PRIMARY KEY (db, record_no)
    ) STRICT, WITHOUT ROWID;

    CREATE INDEX trash_newest ON trash (db, deleted_at, record_no);
    CREATE INDEX trash_by_name ON trash (db, name, deleted_at, record_no);
    CREATE INDEX trash_by_time ON trash (deleted_at, db, record_no);

    ALTER TABLE heads ADD COLUMN trash INTEGER NOT NULL DEFAULT 0;
    """

private let catalogColumns = """
    ALTER TABLE catalog ADD COLUMN last_type INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE fields ADD COLUMN epoch INTEGER NOT NULL DEFAULT 0;
    """

/// In zones that were stored earlier it is null, and the checksum does not cover it.
private let clientTokenColumn = "ALTER TABLE zones ADD COLUMN client_token BLOB"

/// Records by one integer, which earlier had a key of two columns (``RowKey``, docs/decisions/0011). The CHECK constraint
/// refuses writes of an earlier version, which does not know the column.
private let recordKeys = """
    CREATE TABLE keyed_records (
        id INTEGER PRIMARY KEY,
        db INTEGER NOT NULL,
    \(recordColumns)
        checksum INTEGER NOT NULL,
        fields TEXT NOT NULL,
        CHECK (id = (db << 36 | record_no) AND db BETWEEN 1 AND 134217727 AND record_no BETWEEN 1 AND 68719476735)
    ) STRICT;

    INSERT INTO keyed_records SELECT (db << 36 | record_no), * FROM records ORDER BY db, record_no;
    DROP TABLE records;
    ALTER TABLE keyed_records RENAME TO records;
    CREATE UNIQUE INDEX records_by_name ON records (db, zone_no, name);
    CREATE UNIQUE INDEX records_by_seq ON records (db, zone_no, seq);
    """

/// The index contains neither the annex nor other columns that saves change, so that saves do not write it.
private let annexColumns = """
    ALTER TABLE heads ADD COLUMN annex BLOB NOT NULL DEFAULT x'';
    ALTER TABLE heads ADD COLUMN has_annex INTEGER NOT NULL DEFAULT 0;
    CREATE INDEX heads_annex ON heads (kind, db) WHERE has_annex = 1;
    """

/// In zones that were stored earlier the column is 0, and the checksum does not cover it.
private let sharingColumns = """
    ALTER TABLE zones ADD COLUMN sharing INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE heads ADD COLUMN shares_version INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE heads ADD COLUMN visits INTEGER NOT NULL DEFAULT 0;
    CREATE INDEX records_by_share ON records (db, zone_no, share_root, seq) WHERE share_root IS NOT NULL;
    """
