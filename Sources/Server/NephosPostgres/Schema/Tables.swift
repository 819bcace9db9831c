import NephosStorage

/// The tables of Nephos in a PostgreSQL database. Migrations are only ever appended; a released one never changes, and only
/// adds to what exists: servers of the previous version continue to run.
///
/// All tenants share the tables. `db` is ``TenantNumber/stored(_:)``: the tenant and its database in one number, so that all
/// data of one person is stored together, and the hot tables can be distributed by that one column (docs/scaling.md).
/// `db >> 40` is the tenant again, for look-ups by time within a tenant. Names are `bytea`, which is compared byte by byte in any
/// collation of the database. Integers are all `bigint`, so that no parameter needs a cast.
extension Migrations {
    /// - Parameter tables: Tables that no step below creates are created from their descriptions.
    static func all(_ tables: TableSet) -> Migrations {
        Migrations(
            steps: released
                + (tables.added + tables.addedToDirectory).flatMap { $0.table.steps }.map {
                    Migration(identifier: $0.name, sql: TableSQL.createStatements($0))
                })
    }

    static let released = [
        Migration(identifier: "1 directory", sql: directoryTables),
        Migration(identifier: "1 catalog", sql: catalogTables),
        Migration(identifier: "1 databases", sql: databaseTables),
        Migration(identifier: "1 records", sql: recordTables),
        Migration(identifier: "1 indexes", sql: indexTables),
        Migration(identifier: "1 trash", sql: trashTables),
        Migration(identifier: "1 statistics", sql: statistics),
        Migration(identifier: "2 subscriptions", sql: subscriptionTables),
        Migration(identifier: "2 deliveries", sql: deliveryTables),
        Migration(identifier: "3 assets", sql: assetTables),
        Migration(identifier: "4 client tokens", sql: clientTokenColumn),
        Migration(identifier: "5 credentials", sql: credentialTables),
        Migration(identifier: "6 jobs", sql: jobTable),
        Migration(identifier: "7 secrets", sql: secretColumns),
        Migration(
            identifier: "7 digests", sql: "ALTER TABLE heads ADD COLUMN rows_digest bigint NOT NULL DEFAULT 0"),
        Migration(identifier: "8 annex", sql: annexColumns),
        Migration(identifier: "9 session ends", sql: sessionColumns),
        Migration(identifier: "10 copies", sql: copySource),
        Migration(identifier: "11 sharing", sql: sharingColumns),
    ]
}

private let directoryTables = """
    CREATE TABLE meta (
        id bigint PRIMARY KEY CHECK (id = 1),
        digest bigint NOT NULL,
        last_tenant bigint NOT NULL
    );

    INSERT INTO meta (id, digest, last_tenant) VALUES (1, 0, 0);

    CREATE TABLE accounts (
        id text PRIMARY KEY,
        email text NOT NULL UNIQUE,
        given_name text NOT NULL,
        family_name text NOT NULL,
        created_at bigint NOT NULL,
        checksum bigint NOT NULL
    );

    CREATE TABLE containers (
        id text PRIMARY KEY,
        created_at bigint NOT NULL,
        checksum bigint NOT NULL
    );
    """

private let catalogTables = """
    CREATE TABLE catalog (
        tenant bigint PRIMARY KEY,
        version bigint NOT NULL,
        container text NOT NULL,
        environment text NOT NULL,
        lanes bigint NOT NULL,
        last_db bigint NOT NULL,
        last_type bigint NOT NULL,
        signing_key bytea NOT NULL,
        created_at bigint NOT NULL,
        deleted_at bigint NOT NULL,
        digest bigint NOT NULL,
        checksum bigint NOT NULL
    ) WITH (fillfactor = 50);

    CREATE UNIQUE INDEX catalog_by_name ON catalog (container, environment) WHERE deleted_at = 0;
    CREATE INDEX catalog_deleted ON catalog (tenant) WHERE deleted_at <> 0;

    CREATE TABLE types (
        tenant bigint NOT NULL,
        type bigint NOT NULL,
        name bytea NOT NULL,
        epoch bigint NOT NULL,
        checksum bigint NOT NULL,
        PRIMARY KEY (tenant, type),
        UNIQUE (tenant, name)
    );

    CREATE TABLE fields (
        tenant bigint NOT NULL,
        type bigint NOT NULL,
        name bytea NOT NULL,
        kind bigint NOT NULL,
        encrypted bigint NOT NULL,
        options bigint NOT NULL,
        epoch bigint NOT NULL,
        checksum bigint NOT NULL,
        PRIMARY KEY (tenant, type, name)
    );

    CREATE TABLE roles (
        tenant bigint NOT NULL,
        role bigint NOT NULL,
        name bytea NOT NULL,
        checksum bigint NOT NULL,
        PRIMARY KEY (tenant, role),
        UNIQUE (tenant, name)
    );

    CREATE TABLE grants (
        tenant bigint NOT NULL,
        type bigint NOT NULL,
        role bigint NOT NULL,
        rights bigint NOT NULL,
        checksum bigint NOT NULL,
        PRIMARY KEY (tenant, type, role)
    );

    CREATE TABLE api_tokens (
        tenant bigint NOT NULL,
        hash bytea NOT NULL,
        name text NOT NULL,
        created_at bigint NOT NULL,
        revoked_at bigint NOT NULL,
        checksum bigint NOT NULL,
        PRIMARY KEY (tenant, hash)
    );

    CREATE TABLE server_keys (
        tenant bigint NOT NULL,
        id text NOT NULL,
        public_key bytea NOT NULL,
        user_id bytea NOT NULL,
        created_at bigint NOT NULL,
        revoked_at bigint NOT NULL,
        checksum bigint NOT NULL,
        PRIMARY KEY (tenant, id)
    );

    CREATE TABLE sessions (
        tenant bigint NOT NULL,
        id bytea NOT NULL,
        user_id bytea NOT NULL,
        private_db bigint NOT NULL,
        secret bytea NOT NULL,
        created_at bigint NOT NULL,
        expires_at bigint NOT NULL,
        revoked_at bigint NOT NULL,
        checksum bigint NOT NULL,
        PRIMARY KEY (tenant, id)
    );

    CREATE TABLE users (
        tenant bigint NOT NULL,
        id bytea NOT NULL,
        source bigint NOT NULL,
        source_id text NOT NULL,
        private_db bigint NOT NULL,
        created_at bigint NOT NULL,
        checksum bigint NOT NULL,
        PRIMARY KEY (tenant, id),
        UNIQUE (tenant, source, source_id)
    );
    """

/// A head is written with every commit of its database: free space in the page keeps the next versions of the row there, and
/// only `db` is indexed, so that no index is touched.
private let databaseTables = """
    CREATE TABLE heads (
        db bigint PRIMARY KEY,
        kind bigint NOT NULL,
        owner bytea,
        seq bigint NOT NULL,
        last_record_no bigint NOT NULL,
        last_zone_no bigint NOT NULL,
        last_time bigint NOT NULL,
        purged_seq bigint NOT NULL,
        watchers bigint NOT NULL,
        records bigint NOT NULL,
        record_bytes bigint NOT NULL,
        tombstones bigint NOT NULL,
        refs bigint NOT NULL,
        events bigint NOT NULL,
        zones bigint NOT NULL,
        live_zones bigint NOT NULL,
        cascades bigint NOT NULL,
        index_version bigint NOT NULL,
        trash bigint NOT NULL,
        checksum bigint NOT NULL
    ) WITH (fillfactor = 50);

    CREATE TABLE zones (
        db bigint NOT NULL,
        zone_no bigint NOT NULL,
        name bytea NOT NULL,
        state bigint NOT NULL,
        created_seq bigint NOT NULL,
        changed_seq bigint NOT NULL,
        purged_seq bigint NOT NULL,
        created_at bigint NOT NULL,
        deleted_at bigint NOT NULL,
        checksum bigint NOT NULL,
        PRIMARY KEY (db, zone_no)
    ) WITH (fillfactor = 50);

    CREATE UNIQUE INDEX zones_live ON zones (db, name) WHERE state = 0;
    CREATE INDEX zones_by_change ON zones (db, changed_seq);
    CREATE INDEX zones_dead ON zones (db, zone_no) WHERE state = 1;
    CREATE INDEX zones_swept ON zones ((db >> 40), deleted_at, db, zone_no) WHERE state = 2;

    CREATE TABLE events (
        db bigint NOT NULL,
        seq bigint NOT NULL,
        zone_no bigint NOT NULL,
        kind bigint NOT NULL,
        name bytea NOT NULL,
        client text NOT NULL,
        checksum bigint NOT NULL,
        old_fields bytea,
        new_fields bytea,
        PRIMARY KEY (db, seq, zone_no, kind, name)
    );
    """

/// The columns of a record in the tables of released steps. Later steps must not change this: the text of released steps never changes.
let recordColumns = """
        record_no bigint NOT NULL,
        zone_no bigint NOT NULL,
        name bytea NOT NULL,
        seq bigint NOT NULL,
        tag_seq bigint NOT NULL,
        type bigint NOT NULL,
        created_at bigint NOT NULL,
        created_by bytea NOT NULL,
        modified_at bigint NOT NULL,
        modified_by bytea NOT NULL,
        parent bytea,
        share_root bigint,
        flags bigint NOT NULL,
        fields_epoch bigint NOT NULL,
        ref_count bigint NOT NULL,
        size bigint NOT NULL,
    """

private let recordTables = """
    CREATE TABLE records (
        db bigint NOT NULL,
    \(recordColumns)
        checksum bigint NOT NULL,
        fields bytea NOT NULL,
        PRIMARY KEY (db, record_no)
    );

    CREATE UNIQUE INDEX records_by_name ON records (db, zone_no, name);
    CREATE UNIQUE INDEX records_by_seq ON records (db, zone_no, seq);

    CREATE TABLE tombstones (
        db bigint NOT NULL,
        zone_no bigint NOT NULL,
        seq bigint NOT NULL,
        name bytea NOT NULL,
        type bigint NOT NULL,
        deleted_at bigint NOT NULL,
        checksum bigint NOT NULL,
        PRIMARY KEY (db, zone_no, seq)
    );

    CREATE UNIQUE INDEX tombstones_by_name ON tombstones (db, zone_no, name);
    CREATE INDEX tombstones_by_time ON tombstones ((db >> 40), deleted_at, db, zone_no, seq);

    CREATE TABLE refs (
        db bigint NOT NULL,
        zone_no bigint NOT NULL,
        target bytea NOT NULL,
        kind bigint NOT NULL,
        record_no bigint NOT NULL,
        checksum bigint NOT NULL,
        PRIMARY KEY (db, zone_no, target, kind, record_no)
    );

    CREATE INDEX refs_by_record ON refs (db, record_no);

    CREATE TABLE cascades (
        db bigint NOT NULL,
        zone_no bigint NOT NULL,
        target bytea NOT NULL,
        seq bigint NOT NULL,
        checksum bigint NOT NULL,
        PRIMARY KEY (db, zone_no, target)
    );
    """

private let indexTables = """
    CREATE TABLE index_rows (
        db bigint NOT NULL,
        zone_no bigint NOT NULL,
        index_no bigint NOT NULL,
        key bytea NOT NULL,
        record_no bigint NOT NULL,
        PRIMARY KEY (db, zone_no, index_no, key, record_no)
    );

    CREATE TABLE indexes (
        db bigint NOT NULL,
        index_no bigint NOT NULL,
        type bigint NOT NULL,
        state bigint NOT NULL,
        built_to bigint NOT NULL,
        created_at bigint NOT NULL,
        used_at bigint NOT NULL,
        checksum bigint NOT NULL,
        shape bytea NOT NULL,
        PRIMARY KEY (db, index_no)
    );

    CREATE INDEX indexes_unfinished ON indexes (state, db, index_no) WHERE state <> 1;
    """

private let trashTables = """
    CREATE TABLE trash (
        db bigint NOT NULL,
    \(recordColumns)
        deleted_at bigint NOT NULL,
        deleted_by bytea,
        checksum bigint NOT NULL,
        fields bytea NOT NULL,
        PRIMARY KEY (db, record_no)
    );

    CREATE INDEX trash_newest ON trash (db, deleted_at, record_no);
    CREATE INDEX trash_by_name ON trash (db, name, deleted_at, record_no);
    CREATE INDEX trash_by_time ON trash ((db >> 40), deleted_at, db, record_no);
    """

/// Statistics of the tables for the planner.
///
/// Several indexes begin with database and zone. If PostgreSQL expects about one row for given values of these two, it
/// considers all of the indexes equally good, and reads a person's records by sequence to find one by name. So the statistics
/// are set to one database and one zone: then only the columns after these make an index good. This takes effect from the
/// next ANALYZE on; so the tables are temporarily filled with rows of no tenant, and the statistics of these remain.
private let statistics = """
    ALTER TABLE zones ALTER COLUMN db SET (n_distinct = 1);
    ALTER TABLE events ALTER COLUMN db SET (n_distinct = 1), ALTER COLUMN zone_no SET (n_distinct = 1);
    ALTER TABLE records ALTER COLUMN db SET (n_distinct = 1), ALTER COLUMN zone_no SET (n_distinct = 1);
    ALTER TABLE tombstones ALTER COLUMN db SET (n_distinct = 1), ALTER COLUMN zone_no SET (n_distinct = 1);
    ALTER TABLE refs ALTER COLUMN db SET (n_distinct = 1), ALTER COLUMN zone_no SET (n_distinct = 1);
    ALTER TABLE cascades ALTER COLUMN db SET (n_distinct = 1), ALTER COLUMN zone_no SET (n_distinct = 1);
    ALTER TABLE indexes ALTER COLUMN db SET (n_distinct = 1);
    ALTER TABLE index_rows ALTER COLUMN db SET (n_distinct = 1), ALTER COLUMN zone_no SET (n_distinct = 1);
    ALTER TABLE trash ALTER COLUMN db SET (n_distinct = 1), ALTER COLUMN zone_no SET (n_distinct = 1);
    ALTER TABLE users ALTER COLUMN tenant SET (n_distinct = 1);
    ALTER TABLE sessions ALTER COLUMN tenant SET (n_distinct = 1);

    INSERT INTO heads (db, kind, seq, last_record_no, last_zone_no, last_time, purged_seq, watchers, records, record_bytes,
            tombstones, refs, events, zones, live_zones, cascades, index_version, trash, checksum)
        SELECT d, 1, d, d, d, 0, 0, 0, d, d, d, d, 0, 2, 2, 0, 1, d, d FROM generate_series(1, 100) AS d;

    INSERT INTO zones (db, zone_no, name, state, created_seq, changed_seq, purged_seq, created_at, deleted_at, checksum)
        SELECT d, z, convert_to('zone ' || z, 'UTF8'), z % 3, z, z, 0, z, z, z
        FROM generate_series(1, 10) AS d, generate_series(1, 20) AS z;

    INSERT INTO records (db, record_no, zone_no, name, seq, tag_seq, type, created_at, created_by, modified_at, modified_by,
            flags, fields_epoch, ref_count, size, checksum, fields)
        SELECT d, r, r % 2, convert_to('record ' || r, 'UTF8'), r, r, r % 5, r, '\\x00', r, '\\x00', 0, 0, 1, 500, r,
            convert_to(repeat('x', 500), 'UTF8')
        FROM generate_series(1, 10) AS d, generate_series(1, 100) AS r;

    INSERT INTO tombstones (db, zone_no, seq, name, type, deleted_at, checksum)
        SELECT db, zone_no, seq, name, type, created_at, checksum FROM records;

    INSERT INTO refs (db, zone_no, target, kind, record_no, checksum)
        SELECT db, zone_no, name, 0, record_no, checksum FROM records;

    INSERT INTO index_rows (db, zone_no, index_no, key, record_no)
        SELECT db, zone_no, i, name, record_no FROM records, generate_series(1, 3) AS i;

    INSERT INTO trash (db, record_no, zone_no, name, seq, tag_seq, type, created_at, created_by, modified_at, modified_by,
            flags, fields_epoch, ref_count, size, deleted_at, checksum, fields)
        SELECT db, record_no, zone_no, name, seq, tag_seq, type, created_at, created_by, modified_at, modified_by,
            flags, fields_epoch, ref_count, size, created_at, checksum, '\\x00' FROM records;

    ANALYZE heads, zones, records, tombstones, refs, index_rows, trash;

    TRUNCATE heads, zones, records, tombstones, refs, index_rows, trash;
    """

/// In zones that were stored earlier it is null, and the checksum does not cover it.
private let clientTokenColumn = "ALTER TABLE zones ADD COLUMN client_token bytea"

/// The index contains neither the annex nor other columns that saves change: if a column of an index, or of its condition,
/// changes, the old index entries cannot lead to the new version of the row.
private let annexColumns = """
    ALTER TABLE heads ADD COLUMN annex bytea NOT NULL DEFAULT '', ADD COLUMN has_annex bigint NOT NULL DEFAULT 0;

    CREATE INDEX heads_annex ON heads (kind, db) WHERE has_annex = 1;
    """

/// What a database is the unfinished copy of (``CopyStore``); 0 for none.
private let copySource = "ALTER TABLE meta ADD COLUMN copied_from bigint NOT NULL DEFAULT 0"

/// In zones that were stored earlier the column is 0, and the checksum does not cover it.
private let sharingColumns = """
    ALTER TABLE zones ADD COLUMN sharing bigint NOT NULL DEFAULT 0;
    ALTER TABLE heads ADD COLUMN shares_version bigint NOT NULL DEFAULT 0;
    ALTER TABLE heads ADD COLUMN visits bigint NOT NULL DEFAULT 0;

    CREATE INDEX records_by_share ON records (db, zone_no, share_root, seq) WHERE share_root IS NOT NULL;
    """
