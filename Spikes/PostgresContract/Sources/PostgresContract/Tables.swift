/// The tables of one tenant. Names are `bytea`, so that they compare byte by byte with any collation.
let tenantTables = """
    CREATE TABLE catalog (
        id int PRIMARY KEY CHECK (id = 1), version bigint NOT NULL, container text NOT NULL, environment text NOT NULL,
        lanes bigint NOT NULL, last_db bigint NOT NULL, signing_key bytea NOT NULL, created_at bigint NOT NULL,
        deleted_at bigint NOT NULL, digest bigint NOT NULL);
    CREATE TABLE types (type int PRIMARY KEY, name bytea NOT NULL UNIQUE, epoch bigint NOT NULL);
    CREATE TABLE fields (
        type int NOT NULL, name bytea NOT NULL, kind bigint NOT NULL, encrypted bigint NOT NULL,
        options bigint NOT NULL, PRIMARY KEY (type, name));
    CREATE TABLE roles (role bigint PRIMARY KEY, name bytea NOT NULL UNIQUE);
    CREATE TABLE grants (type int NOT NULL, role bigint NOT NULL, rights bigint NOT NULL, PRIMARY KEY (type, role));
    CREATE TABLE users (
        id text PRIMARY KEY, source bigint NOT NULL, source_id text NOT NULL, private_db bigint NOT NULL,
        created_at bigint NOT NULL, UNIQUE (source, source_id));
    CREATE TABLE heads (
        db bigint PRIMARY KEY, kind bigint NOT NULL, owner text, seq bigint NOT NULL, last_record_no bigint NOT NULL,
        last_zone_no bigint NOT NULL, last_time bigint NOT NULL, purged_seq bigint NOT NULL, watchers bigint NOT NULL,
        records bigint NOT NULL, record_bytes bigint NOT NULL, tombstones bigint NOT NULL, refs bigint NOT NULL,
        events bigint NOT NULL, zones bigint NOT NULL, live_zones bigint NOT NULL) WITH (fillfactor = 50);
    CREATE TABLE zones (
        db bigint NOT NULL, zone_no bigint NOT NULL, name bytea NOT NULL, state bigint NOT NULL,
        created_seq bigint NOT NULL, changed_seq bigint NOT NULL, purged_seq bigint NOT NULL,
        created_at bigint NOT NULL, deleted_at bigint NOT NULL, PRIMARY KEY (db, zone_no));
    CREATE UNIQUE INDEX zones_live ON zones (db, name) WHERE state = 0;
    CREATE INDEX zones_by_change ON zones (db, changed_seq);
    CREATE TABLE records (
        db bigint NOT NULL, record_no bigint NOT NULL, zone_no bigint NOT NULL, name bytea NOT NULL,
        seq bigint NOT NULL, tag_seq bigint NOT NULL, type int NOT NULL, created_at bigint NOT NULL,
        created_by text NOT NULL, modified_at bigint NOT NULL, modified_by text NOT NULL, parent bytea,
        share_root bigint, flags bigint NOT NULL, fields_epoch bigint NOT NULL, ref_count bigint NOT NULL,
        size bigint NOT NULL, fields bytea NOT NULL, PRIMARY KEY (db, record_no));
    CREATE UNIQUE INDEX records_by_name ON records (db, zone_no, name);
    CREATE UNIQUE INDEX records_by_seq ON records (db, zone_no, seq);
    CREATE TABLE tombstones (
        db bigint NOT NULL, zone_no bigint NOT NULL, seq bigint NOT NULL, name bytea NOT NULL, type int NOT NULL,
        deleted_at bigint NOT NULL, PRIMARY KEY (db, zone_no, seq));
    CREATE UNIQUE INDEX tombstones_by_name ON tombstones (db, zone_no, name);
    CREATE TABLE refs (
        db bigint NOT NULL, zone_no bigint NOT NULL, target bytea NOT NULL, kind bigint NOT NULL,
        record_no bigint NOT NULL, PRIMARY KEY (db, zone_no, target, kind, record_no));
    CREATE INDEX refs_by_record ON refs (db, record_no);
    """
